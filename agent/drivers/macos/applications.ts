import { homedir } from 'node:os';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { folded } from '../../../src/contract/near-names.ts';
import type { ResolvedApp } from '../../../src/contract/screen.ts';
import { type AppIdentity, resolvedApp } from '../apps/resolved-risk.ts';
import type { RunningApp } from './desktop-state.ts';
import { type RunProgram, runScript } from './run-script.ts';

export type InstalledApp = {
  path: string | null;
  bundleId: string | null;
  /** The name that the Finder shows first, then the app's other names. */
  names: readonly string[];
  /** Another one has the same bundle id, as two versions of an app may; then only the path tells them apart. */
  hasTwin: boolean;
};

export type Applications = {
  /** Installed apps; a list of this age or younger will do. Empty when macOS would not say. */
  list(options: { maxAgeMs: number; signal?: AbortSignal }): Promise<readonly InstalledApp[]>;
  /** The app of this name or bundle id, among the installed and the running; null when there is none. */
  find(name: string, options: { running: readonly RunningApp[]; signal: AbortSignal }): Promise<InstalledApp | null>;
};

const Answer = Type.Object({
  apps: Type.Array(
    Type.Object({
      path: Type.String(),
      bundleId: Type.Union([Type.String(), Type.Null()]),
      names: Type.Array(Type.String(), { minItems: 1 }),
    }),
  ),
});
const answerShape = Compile(Answer);

type ListedApp = Static<typeof Answer>['apps'][number];

/** Each is looked into, and the folders directly in it, so that the Utilities come along. */
const FOLDERS = [
  '/Applications',
  '/System/Applications',
  '/System/Cryptexes/App/System/Applications',
  '/System/Library/CoreServices/Applications',
];

/** Apps that are in none of the folders: Safari lives in a Cryptex, which has moved before, the Finder among the services. */
const ELSEWHERE = ['com.apple.Safari', 'com.apple.finder'];

const SCRIPT_TIMEOUT_MS = 10_000;
const FRESH_ENOUGH_MS = 30_000;

/** Lists the apps of this Mac. A list is kept for half a minute, and read again for a name that is not in it. */
export function createApplications(run: RunProgram, now: () => number): Applications {
  let latest: { atMs: number; apps: readonly InstalledApp[] } | null = null;

  async function read(bundleIds: readonly string[], signal?: AbortSignal): Promise<readonly InstalledApp[]> {
    const answer = await runScript(run, {
      script: 'installed-apps',
      request: { folders: [...FOLDERS, `${homedir()}/Applications`], bundleIds: [...ELSEWHERE, ...bundleIds] },
      answer: answerShape,
      timeoutMs: SCRIPT_TIMEOUT_MS,
      signal,
    });
    if (answer.ok) latest = { atMs: now(), apps: answer.data.apps.map(toInstalled) };
    return latest?.apps ?? [];
  }

  async function list({ maxAgeMs, signal }: { maxAgeMs: number; signal?: AbortSignal }) {
    if (latest !== null && now() - latest.atMs <= maxAgeMs) return latest.apps;
    return read([], signal);
  }

  return {
    list,
    find: async (name, { running, signal }) => {
      const known = named(name, await list({ maxAgeMs: FRESH_ENOUGH_MS, signal }));
      if (known !== undefined) return known;
      const alive = named(name, running.map(asInstalled));
      return alive ?? named(name, await read(isBundleId(name) ? [name] : [], signal)) ?? null;
    },
  };
}

/** Whether a running app is this one; identifiers are compared as LaunchServices does, without regard to case. */
export function isSameApp(app: InstalledApp, running: Pick<RunningApp, 'path' | 'bundleId' | 'name'>): boolean {
  if (app.hasTwin && app.path !== null) return running.path === app.path;
  if (app.bundleId !== null) return running.bundleId !== null && folded(running.bundleId) === folded(app.bundleId);
  if (app.path !== null) return running.path === app.path;
  const fileName = running.path?.replace(/^.*\//, '').replace(/\.app$/, '');
  return [running.name, fileName].some((name) => name !== undefined && isCalled(app, name));
}

function isCalled(app: InstalledApp, name: string): boolean {
  return app.names.some((one) => folded(one) === folded(name));
}

/** Every name by which rules identify an app. */
export function identityOf(app: InstalledApp): AppIdentity {
  const file = app.path
    ?.split('/')
    .at(-1)
    ?.replace(/\.app$/i, '');
  return {
    name: shownName(app),
    ...(app.bundleId === null ? {} : { bundleId: app.bundleId }),
    alsoKnownAs: [...app.names, app.bundleId, file].filter((name) => typeof name === 'string'),
  };
}

/** The app of a process, by all of its names: the same answer as for a name that leads to it. */
export async function runningApp(
  running: Pick<RunningApp, 'path' | 'bundleId' | 'name'>,
  { list }: Pick<Applications, 'list'>,
  signal: AbortSignal,
): Promise<ResolvedApp> {
  const installed = await list({ maxAgeMs: FRESH_ENOUGH_MS, signal });
  return resolvedApp(identityOf(installed.find((app) => isSameApp(app, running)) ?? asInstalled(running)));
}

export function shownName(app: InstalledApp): string {
  return app.names[0] ?? app.bundleId ?? 'the app';
}

function named(name: string, apps: readonly InstalledApp[]): InstalledApp | undefined {
  const wanted = folded(name).replace(/\.app$/, '');
  const byId = apps.find((app) => app.bundleId !== null && folded(app.bundleId) === wanted);
  return byId ?? apps.find((app) => isCalled(app, wanted));
}

function asInstalled({ path, bundleId, name }: Pick<RunningApp, 'path' | 'bundleId' | 'name'>): InstalledApp {
  return { path, bundleId, names: name === '' ? [] : [name], hasTwin: false };
}

function toInstalled(app: ListedApp, _index: number, all: readonly ListedApp[]): InstalledApp {
  const hasTwin = all.some((other) => other.path !== app.path && other.bundleId === app.bundleId);
  return { ...app, hasTwin: hasTwin && app.bundleId !== null };
}

function isBundleId(name: string): boolean {
  return /^[A-Za-z0-9-]+(\.[A-Za-z0-9_-]+)+$/.test(name);
}
