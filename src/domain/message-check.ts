/** Checks messages between threads where they are received: their kind and their fields, not what is deep within. */

type Check = (value: unknown) => boolean;

/** A check for every field of every kind of message. */
type Checks<Message extends { kind: string }> = {
  [Kind in Message["kind"]]: Record<Exclude<keyof Extract<Message, { kind: Kind }>, "kind">, Check>;
};

export function createMessageCheck<Message extends { kind: string }>(
  receiver: string,
  checks: Checks<Message>,
): (data: unknown) => Message {
  const checksByKind = new Map<unknown, Record<string, Check>>(Object.entries(checks));
  const isMessage = (data: unknown): data is Message => {
    if (!isObject(data)) return false;
    const fields = checksByKind.get(data["kind"]);
    return fields !== undefined && Object.entries(fields).every(([name, isValid]) => isValid(data[name]));
  };
  return (data) => {
    if (isMessage(data)) return data;
    const kind = isObject(data) ? String(data["kind"]) : typeof data;
    throw new Error(`the ${receiver} received an unexpected message of kind "${kind}"`);
  };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

export const isNumber = (value: unknown): boolean => typeof value === "number";
export const isString = (value: unknown): boolean => typeof value === "string";
