/** Functions of erasures for other concerns. */
export { markDeleted } from "./purge-state.ts";
export { isMarkedErased } from "./statements.ts";
