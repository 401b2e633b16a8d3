/** Under what the documents of things within a post are kept: a comment, a track of subtitles. */

export function commentDoc(postId: string, id: string): string {
  return `${encoded(postId)}/${id}`;
}

export function subtitleDoc(postId: string, language: string, automatic: boolean): string {
  return `${encoded(postId)}/${automatic ? 1 : 0}/${language}`;
}

/** Half a surrogate pair cannot be encoded, and no store keeps one. */
function encoded(postId: string): string {
  return encodeURIComponent(postId.toWellFormed());
}

export function commentAt(doc: string): { postId: string; id: string } {
  const slash = doc.indexOf("/");
  return { postId: decodeURIComponent(doc.slice(0, slash)), id: doc.slice(slash + 1) };
}

export function subtitlesAt(doc: string): { postId: string; language: string; automatic: boolean } {
  const { postId, id } = commentAt(doc);
  return { postId, automatic: id.startsWith("1"), language: id.slice(2) };
}
