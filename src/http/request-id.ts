/** Allowed values of X-Request-Id, since it appears in logs and responses. */
export const REQUEST_ID = /^[\w.:-]{1,128}$/;
