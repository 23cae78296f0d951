import { behindMachine } from '../contract/machine-rules.ts';
import type { ContentsView, ScriptView } from '../contract/scripts.ts';
import type { Target } from '../contract/targets.ts';
import { spelledOut, UNSEEN } from '../contract/unseen-characters.ts';
import type { Assessment } from '../domain/catalogue/definition.ts';
import { controlFacts } from '../domain/catalogue/hands/control-target.ts';
import { windowFacts, windowIn } from '../domain/catalogue/window-words.ts';
import type { Context } from './context.ts';
import { timestamp } from './steady-clock.ts';

/** Control, bidirectional, zero-width and other characters that hide something become escapes, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => (character === '\n' ? character : spelledOut(character))); // guard A5-4
}

/** The sentence of an action for the person, in visible characters. The requester may not know all of it. `folder`: where the prompt names it once. */
export function sentenceOf(
  { sentence, sentenceIn, toPerson = '' }: Pick<Assessment, 'sentence' | 'sentenceIn' | 'toPerson'>,
  folder?: string,
): string {
  const told = folder === undefined ? undefined : sentenceIn?.(folder);
  return visible(`${told ?? sentence}${toPerson}`);
}

/** The name of a device, behind that of its machine where that is another one. */
export function deviceWords({ store }: Pick<Context, 'store'>, deviceId: string, unknown = deviceId): string {
  const device = store.devices.findById(deviceId);
  return behindMachine(device?.machine, visible(device?.name ?? unknown));
}

/** The window that something is about, in full, where it names one. */
export function windowOf({ targets }: { targets?: readonly Target[] | undefined }): { window?: string } {
  const window = windowIn(targets);
  return window === undefined ? {} : { window: visible(windowFacts(window)) };
}

/** The controls that something is about, in full, one a line. Their names are the apps' own words. */
export function controlsOf({ targets }: { targets?: readonly Target[] | undefined }): { control?: string } {
  const controls = (targets ?? []).flatMap((target) => ('control' in target ? [target.control] : []));
  if (controls.length === 0) return {};
  return { control: controls.map((control) => inOneLine(controlFacts(control))).join('\n') };
}

function inOneLine(text: string): string {
  return visible(text).replaceAll('\n', spelledOut);
}

/** A script in visible characters, where the action runs one. */
export function scriptOf({ script }: Pick<Assessment, 'script'>): { script?: ScriptView } {
  if (script === undefined) return {};
  const { language, text, reads, writes, network, environment = [], noticed, noticedCut } = script;
  const shown = (places: readonly string[]) => places.map(visible);
  const set = environment.length === 0 ? {} : { environment: environment.map(inOneLine) }; // guard A5-5
  const reach = { ...set, reads: shown(reads), writes: shown(writes), network: shown(network) };
  const dangers = noticed.map(({ words, ...place }) => ({ words: visible(words), ...place }));
  return { script: { language, text: visible(text), ...reach, noticed: dangers, noticedCut } };
}

/** The contents of a file in visible characters, where the person has to see them. */
export function contentsOf({ contents }: Pick<Assessment, 'contents'>): { contents?: ContentsView } {
  if (contents === undefined) return {};
  const { former, ...now } = contents;
  const noticed = contents.noticed.map(({ words, ...place }) => ({ words: visible(words), ...place }));
  const isComparable = former !== undefined && !spellsEscape(former) && !spellsEscape(now.text); // guard P4-1
  const shown = { ...now, text: visible(now.text), noticed };
  return { contents: isComparable ? { ...shown, former: visible(former) } : shown };
}

/** Whether a text spells an escape itself. In visible characters it reads as a text with that character, and a change from one to the other would be no difference. */
function spellsEscape(text: string): boolean {
  return /\\u\{[0-9a-f]/u.test(text);
}

/** How often, and when last, a user's actions of a type were allowed. */
export type History = (userId: string, actionType: string) => string;

/** The history as it is now. Each is looked up once: the prompts of a list may have thousands of steps, and few histories. */
export function readHistory(context: Context): History {
  const known = new Map<string, string>();
  return (userId, actionType) => {
    const key = `${userId} ${actionType}`;
    const history = known.get(key) ?? historyOf(context, userId, actionType);
    known.set(key, history);
    return history;
  };
}

function historyOf({ store }: Context, userId: string, actionType: string): string {
  const { times, lastAtMs, outOf } = store.confirmations.allowedBefore(userId, actionType);
  if (times === 0 || lastAtMs === null) return outOf === null ? FIRST_TIME : `Not allowed in the last ${outOf} prompts`;
  const among = outOf === null ? '' : ` in the last ${outOf} prompts`;
  return `Allowed ${times} ${times === 1 ? 'time' : 'times'}${among}, last ${timestamp(lastAtMs)}`;
}

export const FIRST_TIME = 'First time';
