import type { DesktopEntry } from './desktop-entries.ts';

export type Launched = {
  /** The process started, which leads a session of its own; the app itself may be another process of that session. */
  pid: number;
  /** How that process ended; `null` while it runs. */
  ending(): Ending | null;
};

export type Ending = { exitCode: number | null; signal: NodeJS.Signals | null };

export type LaunchResult = { ok: true; launched: Launched } | { ok: false; reason: string };

/** `address`: the one that the app opens; its entry must take one. */
export type Launch = { entry: DesktopEntry; startupId: string; environment: NodeJS.ProcessEnv; address?: string };
