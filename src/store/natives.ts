/** The platform's own object behind each kind of record. Each slice declares its own; the store treats them as opaque. */
export interface Natives {
  account: object;
  post: object;
  comment: object;
  sound: object;
  hashtag: object;
  place: object;
}
