/** How long a denial that was made with `undoable` can be undone, in milliseconds. The requester learns of it after that. */
export const DENIAL_HELD_MS = 10_000;
