/** The requester, the action type and the device that an event counts for; empty where it has none. */
export type Part = { user: string; type: string; device: string };
