import { appNameObjection } from '../../../src/contract/app-name.ts';
import { nearNames } from '../../../src/contract/near-names.ts';
import type { Failed } from '../outcome.ts';

/**
 * Refuses what cannot be the name of an app and might be meant to be more than a name: options, paths, URLs, shell and
 * script syntax, text that looks like other text. The daemon refuses these too; a driver does not count on it.
 * Answers `null` for a name that may be looked up.
 */
export function refuseAppName(appName: string): Failed | null {
  const objection = appNameObjection(appName);
  if (objection === undefined) return null;
  return {
    ok: false,
    code: 'invalid_target',
    message: `Expected the name of an app, got ${quoted(appName)}, which ${objection}.`,
    fix: 'Name the app as it is shown to people, or by its bundle or desktop id.',
    sideEffect: 'none',
  };
}

/** The failure for an app that is not installed; `near` are the names nearest to it. */
export function appNotFound(appName: string, near: readonly string[]): Failed {
  return {
    ok: false,
    code: 'app_not_found',
    message: `No app called ${quoted(appName)} is installed.`,
    fix: near.length === 0 ? 'Check how the app is called on this device.' : `Did you mean ${near.join(', ')}?`,
    sideEffect: 'none',
  };
}

/** The failure for an app that should be closed and does not run; `running` are the names of the running apps. */
export function appNotRunning(appName: string, running: Iterable<string>): Failed {
  const names = [...new Set(running)];
  const near = nearNames(appName, names);
  const others = near.length > 0 ? near : names.slice(0, 5);
  return {
    ok: false,
    code: 'target_gone',
    message: `${appName} does not run, or shows no window that could be asked to close.`,
    fix: others.length === 0 ? 'There is nothing to close: no app runs.' : `These run: ${others.join(', ')}.`,
    sideEffect: 'none',
  };
}

/** As JSON, so that no control character reaches the program that shows the message. */
function quoted(name: string): string {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return JSON.stringify(shown).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
