import type {
  ClipboardText,
  GrantedAccess,
  InputResult,
  OpenUrlParameters,
  RequestAccessParameters,
  WaitForParameters,
  WriteClipboardParameters,
} from '../../src/contract/hands.ts';
import { minutesInWords } from '../../src/contract/times.ts';
import { webAddress } from '../../src/contract/web-address.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Attempt, Outcome } from '../drivers/outcome.ts';
import { judgedApp, judgedOpener } from '../targets/judged-targets.ts';
import { recheck } from '../targets/recheck.ts';
import { inputResult, plain } from './input-result.ts';

type Answer = Promise<Outcome<InputResult>>;

/** A result travels in one frame of at most 2 MiB. */
const MOST_CHARACTERS = 400_000;

export async function waitFor(
  driver: Driver,
  { windowTitle, element, text, gone, stableMs }: WaitForParameters,
  attempt: Attempt,
): Answer {
  const wish = {
    windowTitle,
    ...(element !== undefined && {
      element: { name: element.name, role: element.role },
    }),
    text,
    gone,
    stableMs,
  };
  return inputResult(await driver.input().waitFor(wish, attempt));
}

/** An address of the web is only opened with the app that was judged for it; the driver compares it as it opens the address. */
export async function openUrl(driver: Driver, wish: OpenUrlParameters, attempt: Attempt): Answer {
  const address = webAddress(wish.url);
  const isJudged =
    'fault' in address || address.scheme === 'mailto' || judgedOpener(attempt, address.scheme) !== undefined;
  if (!isJudged) return UNJUDGED_OPENER;
  return inputResult(await driver.input().openUrl(wish, attempt));
}

export async function readClipboard(driver: Driver, _none: object, attempt: Attempt): Promise<Outcome<ClipboardText>> {
  const outcome = plain(await driver.input().readClipboard(attempt));
  if (!outcome.ok) return outcome;
  const { text } = outcome.data;
  const told = text.slice(0, MOST_CHARACTERS).toWellFormed();
  return { ...outcome, data: { text: told, complete: told === text } };
}

export async function writeClipboard(driver: Driver, wish: WriteClipboardParameters, attempt: Attempt): Answer {
  return inputResult(await driver.input().writeClipboard(wish, attempt));
}

/** The person's approval is the access. The agent only sees to it that the names still lead to the apps that were named to the person. */
export async function requestAccess(
  driver: Driver,
  { apps, allow, sites, minutes }: RequestAccessParameters,
  attempt: Attempt,
): Promise<Outcome<GrantedAccess>> {
  const names: string[] = [];
  for (const name of apps) {
    const found = await driver.resolveApp({ appName: name }, attempt);
    if (!found.ok) return found;
    const change = recheck(judgedApp(attempt, name), { kind: 'app', name, app: found.data });
    if (change !== null) return change;
    names.push(found.data.appName);
  }
  const on = sites === undefined ? '' : ` on ${sites.join(', ')}`;
  const details = `Access to ${names.join(', ')}${on} for ${minutesInWords(minutes)}.`;
  return { ok: true, details, effect: 'confirmed', data: { apps: names, allow, sites, minutes } };
}

const UNJUDGED_OPENER: Outcome<never> = {
  ok: false,
  code: 'target_changed',
  message: 'Nobody has judged which app opens the address; nothing was done.',
  fix: 'Submit it again.',
  sideEffect: 'none',
};
