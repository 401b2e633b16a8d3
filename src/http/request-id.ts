/** What a caller may give as its request's id: it stands in logs and in answers. */
export const REQUEST_ID = /^[\w.:-]{1,128}$/;
