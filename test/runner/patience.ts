/** How long a test waits for an event. It only ends a wait in vain: what is awaited comes after milliseconds, or late on a busy machine. */
export const PATIENCE = { timeout: 20_000, interval: 50 };
