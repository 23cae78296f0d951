import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Bounds, type Display } from '../../../src/contract/device.ts';
import type { ScreenWindow } from '../../../src/contract/screen.ts';
import type { Failed } from '../outcome.ts';
import { type RunProgram, runScript, type ScriptAnswer } from './run-script.ts';

const MacDisplay = Type.Object({
  id: Type.String(),
  /** What `screencapture -D` calls it. */
  number: Type.Integer(),
  name: Type.String(),
  primary: Type.Boolean(),
  bounds: Bounds,
  scale: Type.Number(),
  asleep: Type.Boolean(),
});
export type MacDisplay = Static<typeof MacDisplay>;

const MacWindow = Type.Object({
  id: Type.String(),
  pid: Type.Integer(),
  app: Type.String(),
  /** Null when macOS withholds the titles of other apps' windows, as it does without Screen Recording. */
  title: orNull(Type.String()),
  bounds: Bounds,
  /** 0 for ordinary windows; menus, the Dock and the menu bar are above 19, the desktop below 0. */
  layer: Type.Integer(),
  alpha: Type.Number(),
});
export type MacWindow = Static<typeof MacWindow>;

const RunningApp = Type.Object({
  pid: Type.Integer(),
  name: Type.String(),
  bundleId: orNull(Type.String()),
  path: orNull(Type.String()),
  /** `regular` apps are in the Dock; `accessory` ones may show windows; `prohibited` ones never do. */
  policy: Type.Enum(['regular', 'accessory', 'prohibited']),
  frontmost: Type.Boolean(),
  hidden: Type.Boolean(),
});
export type RunningApp = Static<typeof RunningApp>;

const Session = orNull(Type.Object({ onConsole: Type.Boolean(), locked: Type.Boolean() }));

const Grants = Type.Object({
  screenRecording: orNull(Type.Boolean()),
  accessibility: orNull(Type.Boolean()),
});
export type Grants = Static<typeof Grants>;

const Answer = Type.Object({
  displays: Type.Optional(Type.Array(MacDisplay)),
  windows: Type.Optional(Type.Array(MacWindow)),
  apps: Type.Optional(Type.Array(RunningApp)),
  session: Type.Optional(Session),
  permissions: Type.Optional(Grants),
  errors: Type.Record(Type.String(), Type.String()),
});
const answerShape = Compile(Answer);

/** The desktop at one moment. A part that could not be read is empty (or null), with the cause under `errors`. */
export type DesktopState = {
  displays: MacDisplay[];
  windows: MacWindow[];
  apps: RunningApp[];
  session: Static<typeof Session>;
  grants: Grants;
  errors: Record<string, string>;
};

type DesktopPart = 'displays' | 'windows' | 'apps' | 'session' | 'permissions';

const SCRIPT_TIMEOUT_MS = 8_000;
const UNKNOWN: Grants = { screenRecording: null, accessibility: null };

/** Reads the parts asked for in one run of one script, which takes some 150 ms however many they are. */
export async function readDesktop(
  run: RunProgram,
  { parts, signal }: { parts: readonly DesktopPart[]; signal?: AbortSignal },
): Promise<ScriptAnswer<DesktopState>> {
  const answer = await runScript(run, {
    script: 'desktop',
    request: { parts },
    answer: answerShape,
    timeoutMs: SCRIPT_TIMEOUT_MS,
    signal,
  });
  if (!answer.ok) return answer;
  const { displays = [], windows = [], apps = [], session = null, permissions = UNKNOWN, errors } = answer.data;
  return { ok: true, data: { displays, windows: windows.filter(isShown), apps, session, grants: permissions, errors } };
}

/** Windows as everybody knows them: between the desktop and the menu bar, opaque to some degree, and of some size. */
function isShown({ layer, alpha, bounds }: MacWindow): boolean {
  return layer >= 0 && layer < 20 && alpha > 0 && bounds.width >= 1 && bounds.height >= 1;
}

export function toDisplay({ id, name, primary, bounds, scale }: MacDisplay): Display {
  return { id, name, primary, bounds, scale };
}

/** Front to back; the front window of the front app has the focus. */
export function toScreenWindows(windows: readonly MacWindow[], apps: readonly RunningApp[]): ScreenWindow[] {
  const frontPid = apps.find((app) => app.frontmost)?.pid;
  const focused = windows.find((window) => window.pid === frontPid);
  return windows.map((window, zIndex) => ({
    id: window.id,
    app: apps.find((app) => app.pid === window.pid)?.name || window.app,
    pid: window.pid,
    title: window.title ?? '',
    bounds: window.bounds,
    focused: window === focused,
    onScreen: true,
    zIndex,
  }));
}

function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** The failure where no display can be used now, or null. An app can be opened while the screen is locked. */
export function displayUnavailable(
  { displays, session, errors }: DesktopState,
  { whenLocked }: { whenLocked: 'refuse' | 'go on' },
): Failed | null {
  const isOutside = session === null && errors.session === undefined;
  if (displays.length === 0 || isOutside) {
    const cause = isOutside ? 'it runs outside of a graphical session' : (errors.displays ?? 'none is attached');
    return unavailable(
      `Handrail sees no display of this Mac: ${cause}.`,
      'Start Handrail in the session of a person who is logged in at the Mac, with a screen attached; not over ssh.',
    );
  }
  if (session !== null && !session.onConsole) {
    return unavailable('Another person is using the screen of this Mac.', 'Switch back to this user at the Mac.');
  }
  if (whenLocked === 'refuse' && session?.locked) {
    return unavailable('The screen is locked, and a locked screen shows nothing of the apps.', 'Unlock the Mac.');
  }
  return null;
}

export function unavailable(message: string, fix: string): Failed {
  return { ok: false, code: 'display_unavailable', message, fix, sideEffect: 'none' };
}
