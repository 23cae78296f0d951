import type { ResolvedApp, ResolvedWindow } from '../../src/contract/screen.ts';
import type { Target } from '../../src/contract/targets.ts';
import type { Failed } from '../drivers/driver.ts';

type AppNow = { kind: 'app'; name: string; app: ResolvedApp };
type WindowNow = { kind: 'window'; windowId: string; window: ResolvedWindow };

/**
 * Compares a target as it was judged with the target as it is now, immediately before the effect. A file is compared where it is
 * opened (`openJudged`), so that nothing can come between. The message names the changed fact, but not its new value: the person
 * has not approved that value.
 */
export function recheck(judged: Target | undefined, now: AppNow | WindowNow): Failed | null {
  const what = now.kind === 'app' ? `The app ${quoted(now.name)}` : `The window ${quoted(now.windowId)}`;
  if (judged?.kind !== now.kind) return targetChanged(`Nobody was told about ${lowerFirst(what)}.`);
  const changes =
    now.kind === 'app'
      ? appChanges((judged as AppNow).app, now.app)
      : windowChanges((judged as WindowNow).window, now.window);
  if (changes.length === 0) return null;
  return targetChanged(`${what} is not as it was when the action was judged. Changed: ${changes.join(', ')}.`);
}

function targetChanged(why: string): Failed {
  return {
    ok: false,
    code: 'target_changed',
    message: `${why} Nothing was done.`,
    fix: 'Submit it again, so that it is judged as it is now.',
    sideEffect: 'none',
  };
}

function appChanges(judged: ResolvedApp, now: ResolvedApp): string[] {
  return [
    ...(judged.appName === now.appName && judged.bundleId === now.bundleId ? [] : ['which app it is']),
    ...(isSameList(judged.alsoKnownAs, now.alsoKnownAs) ? [] : ['the programs or names behind it']),
    ...(isSameList(judged.risks.map(riskText), now.risks.map(riskText)) ? [] : ['its risks']),
  ];
}

function riskText({ level, reason }: ResolvedApp['risks'][number]): string {
  return `${level} ${reason}`;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function windowChanges(judged: ResolvedWindow, now: ResolvedWindow): string[] {
  const { bounds: before } = judged;
  const { bounds: after } = now;
  return [
    ...(judged.id === now.id ? [] : ['its id']),
    ...(judged.app === now.app ? [] : ['its app']),
    ...(judged.pid === now.pid ? [] : ['its process']),
    ...(judged.title === now.title ? [] : ['its title']),
    ...(before.width === after.width && before.height === after.height ? [] : ['its size']),
    ...(before.x === after.x && before.y === after.y ? [] : ['its place']),
  ];
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
