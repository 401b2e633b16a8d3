import type { Comment } from "#domain/comment.ts";
import type { Keyset, Page, PageRequest } from "#domain/page.ts";
import type { Projection, Rendered } from "#domain/projection.ts";
import type { Natives } from "#store/records/port.ts";

export type CommentOrder = "newest" | "top";
/** Of either order. */
export type CommentSortKey = { at: number } | { likes: number };

export interface CommentReader<N extends Natives = Natives> {
  /** Top-level comments of a post. In order `top`, keysets carry likes. */
  listComments(postId: string, order: CommentOrder, page: PageRequest): Promise<Page<Comment<N["comment"]>>>;
  listRenderedComments<Body>(
    postId: string,
    order: CommentOrder,
    page: PageRequest,
    projection: Projection<Comment<N["comment"]>, Body>,
  ): Promise<Page<Rendered<Body>>>;
  getComment(postId: string, id: string): Promise<Comment<N["comment"]> | null>;
  /** The replies to a comment, oldest first, then by id. */
  listReplies(postId: string, commentId: string, page: PageRequest): Promise<Page<Comment<N["comment"]>>>;
  /** In any order: those published in one second or with one number of likes. */
  listCommentKeysets(postId: string, sortKey: CommentSortKey): Promise<Keyset[]>;
  /** In any order: of those with a higher sort key and of those with a lower one, at most `limit` nearest. */
  listNearestCommentKeysets(postId: string, sortKey: CommentSortKey, limit: number): Promise<Keyset[]>;
  /** Whether a comment or a reply of the post is stored; the post itself need not be. */
  hasComments(postId: string): Promise<boolean>;
  /** Stored top-level comments of a post, the replies to them, and the sum of the known likes of the former. */
  countComments(postId: string): Promise<{ comments: number; replies: number; likes: number }>;
}
