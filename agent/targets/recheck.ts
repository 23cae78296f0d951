import { isSameBounds } from '../../src/contract/bounds.ts';
import type { Control, ResolvedApp, ResolvedWindow } from '../../src/contract/screen.ts';
import type { ControlTarget, Target } from '../../src/contract/targets.ts';
import type { Failed } from '../drivers/outcome.ts';
import { isSameFile } from './control.ts';

type AppNow = { kind: 'app'; name: string; app: ResolvedApp };
type WindowNow = { kind: 'window'; windowId: string; window: ResolvedWindow };
type ControlNow = { kind: ControlTarget['kind']; control: Control };
type OpenerNow = { kind: 'opener'; app: ResolvedApp | null };
type Now = AppNow | WindowNow | ControlNow | OpenerNow;

/**
 * Compares a target as it was judged with the target as it is now, immediately before the effect. A file is compared where it is
 * opened (`openJudged`), so that nothing can come between. The message names the changed fact, but not its new value: the person
 * has not approved that value.
 */
export function recheck(judged: Target | undefined, now: Now): Failed | null {
  const what = wordsFor(now);
  if (judged?.kind !== now.kind) return targetChanged(`Nobody was told about ${lowerFirst(what)}.`);
  const changes = changesBetween(judged, now);
  if (changes.length === 0) return null; // guard A11-1
  return targetChanged(`${what} is not as it was when the action was judged. Changed: ${changes.join(', ')}.`);
}

function wordsFor(now: Now): string {
  switch (now.kind) {
    case 'app':
      return `The app ${quoted(now.name)}`;
    case 'window':
      return `The window ${quoted(now.windowId)}`;
    case 'focus':
      return 'What gets the keys';
    case 'opener':
      return 'The app that opens the address';
    default:
      return 'What is there';
  }
}

function changesBetween(judged: Target, now: Now): string[] {
  if (judged.kind === 'app' && now.kind === 'app') return appChanges(judged.app, now.app);
  if (judged.kind === 'opener' && now.kind === 'opener') return openerChanges(judged.app, now.app);
  if (judged.kind === 'window' && now.kind === 'window') return windowChanges(judged.window, now.window);
  if ('control' in judged && 'control' in now) return controlChanges(judged.control, now.control);
  return ['what it is'];
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
    ...(isSameList(judged.risks.map(riskText), now.risks.map(riskText)) ? [] : ['its risks']), // guard E-19
  ];
}

function openerChanges(judged: ResolvedApp | undefined, now: ResolvedApp | null): string[] {
  if (judged !== undefined && now !== null) return appChanges(judged, now);
  return judged === undefined && now === null ? [] : ['which app it is'];
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

function controlChanges(judged: Control, now: Control): string[] {
  return [
    ...appChanges(judged.app, now.app),
    ...(judged.pid === now.pid ? [] : ['its process']),
    ...(judged.windowId === now.windowId ? [] : ['its window']),
    ...(judged.windowTitle === now.windowTitle ? [] : ['the title of its window']),
    ...(judged.role === now.role ? [] : ['its kind']),
    ...(judged.name === now.name ? [] : ['its name']),
    ...(isSameBounds(judged.bounds, now.bounds) ? [] : ['its place']),
    ...(judged.isPassword === now.isPassword ? [] : ['whether it is for a password']),
    ...(judged.defaultButton === now.defaultButton ? [] : ['what Return presses']),
    ...(judged.isMenuOpen === now.isMenuOpen ? [] : ['whether a menu is open']),
    ...wordChanges(judged, now),
    ...(isSameFile(judged.dialog, now.dialog) ? [] : ['the file that its dialog takes']), // guard N30-3
    ...(judged.url === now.url && isSameList(judged.documents ?? [], now.documents ?? []) ? [] : ['its page']),
    ...(judged.isOwn === now.isOwn ? [] : ['whether it is of Handrail']),
  ];
}

function wordChanges(judged: Control, now: Control): string[] {
  return [
    ...(isSameList(judged.others ?? [], now.others ?? []) ? [] : ['the other objects at its place']), // guard N16-2
    ...(isSameList(judged.texts ?? [], now.texts ?? []) ? [] : ['its words']),
  ];
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
