/** Allowed values of X-Request-Id, since it appears in logs and responses. */
export const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** What looks like a token is neither logged nor repeated, wherever a client puts it. */
export const TOKEN_FORM = /tt_[0-9A-Za-z]{8,}/g;
