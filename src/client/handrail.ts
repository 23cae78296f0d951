import { fetchAt } from './call.ts';
import { StreamRefused } from './event-stream.ts';
import { createRequesterClient, type RequesterClient } from './requester-client.ts';

/** The export `handrail/client` of the package. */

export type { Action, ActionSubmission, ActionType, DryRun } from '../contract/action.ts';
export type { Device, DeviceRegistration } from '../contract/device.ts';
export type { StreamEvent } from '../contract/event.ts';
export type { Health } from '../contract/health.ts';
export type { ScreenDescription, ScreenshotData } from '../contract/screen.ts';
export type { Task, TaskDryRun, TaskSubmission } from '../contract/task.ts';
export type { Failure, Reply } from './call.ts';
export type { Manner, RequesterClient } from './requester-client.ts';
export { StreamRefused };

/** `baseUrl`: where the daemon listens, as it prints it. `key`: where the person has locked the user id with one. */
export type ClientOptions = { userId: string; baseUrl?: string; key?: string; fetch?: typeof globalThis.fetch };

const DEFAULT_BASE = 'http://127.0.0.1:3001';

/** The daemon for a program that calls under one user id. Calls nothing by itself. */
export function createClient({ userId, baseUrl = DEFAULT_BASE, key, fetch }: ClientOptions): RequesterClient {
  return createRequesterClient({ fetch: fetchAt(baseUrl, fetch), userId, key });
}
