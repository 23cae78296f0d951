/** How long a denial that was made with `undoable` can be undone, in milliseconds. It is final after that. */
export const DENIAL_HELD_MS = 10_000;

/** Characters of the line that a person may send to the requester with a denial. */
export const MOST_NOTE = 200;
