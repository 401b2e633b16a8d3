/** Search document ids of comments and subtitle tracks, which are unique only within their post. */

export function commentDocId(postId: string, id: string): string {
  return `${encodePostId(postId)}/${id}`;
}

export function subtitleDocId(postId: string, language: string, automatic: boolean): string {
  return `${encodePostId(postId)}/${automatic ? 1 : 0}/${language}`;
}

/** `encodeURIComponent` throws on a lone surrogate; stores replace those too. */
function encodePostId(postId: string): string {
  return encodeURIComponent(postId.toWellFormed());
}

export function parseCommentDocId(docId: string): { postId: string; id: string } {
  const slash = docId.indexOf("/");
  return { postId: decodeURIComponent(docId.slice(0, slash)), id: docId.slice(slash + 1) };
}

export function parseSubtitleDocId(docId: string): { postId: string; language: string; automatic: boolean } {
  const { postId, id } = parseCommentDocId(docId);
  return { postId, automatic: id.startsWith("1"), language: id.slice(2) };
}
