import { ReadClipboardParameters, WaitForParameters, WriteClipboardParameters } from '../../../contract/hands.ts';
import { MAX_WAIT_MS, WaitParameters } from '../../../contract/parameters.ts';
import { assessRisk } from '../../risk.ts';
import { defineAction, USUAL_MS } from '../definition.ts';
import { done } from '../done.ts';
import { charactersIn, quoted, shortened, textView, textWords } from '../window-words.ts';

export const waitFor = defineAction({
  name: 'WaitFor',
  summary: 'Waits until a window, an element or a text is there, or gone',
  capability: null,
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'Better than waiting a fixed time.',
  isUsual: true,
  narrowing: ['stableMs'],
  lane: 'wait',
  usualTimeoutMs: () => 60_000,
  parameters: WaitForParameters,
  faults({ windowTitle, element, text }) {
    const named = [windowTitle, element, text].filter((each) => each !== undefined);
    return named.length === 1 ? [] : [{ pointer: '', message: 'give one of windowTitle, element and text' }];
  },
  assess({ windowTitle, element, text, gone = false }) {
    const what =
      text === undefined
        ? windowTitle === undefined
          ? `the ${element?.role ?? 'element'} ${quoted(shortened(element?.name ?? ''))}`
          : `a window with ${quoted(shortened(windowTitle))} in its title`
        : `the text ${quoted(shortened(text))}`;
    const reads = text !== undefined;
    return {
      risk: assessRisk(
        { level: 'low', reason: 'Waiting for a name changes nothing and shows no contents.' },
        reads ? [{ level: 'medium', reason: 'The texts on a screen are as private as its pixels.' }] : [],
      ),
      capability: reads ? 'canCaptureScreen' : null,
      showsContents: reads,
      sentence: `Wait until ${what} is ${gone ? 'gone' : 'there'}`,
      target: null,
      denialTarget: reads ? 'contents of every display' : 'names of every display',
      apps: [],
      paths: [],
      changes: 'Changes nothing.',
    };
  },
});

export const readClipboard = defineAction({
  name: 'ReadClipboard',
  summary: 'Reads the text of the clipboard',
  capability: 'canControlInput',
  effectClass: 'pure',
  baseRisk: 'high',
  parameters: ReadClipboardParameters,
  assess: () => ({
    risk: assessRisk({ level: 'high', reason: 'The clipboard may hold a password or something else that is private.' }),
    capability: 'canControlInput',
    showsContents: true,
    sentence: 'Read the clipboard',
    target: null,
    denialTarget: 'the clipboard',
    apps: [],
    paths: [],
    changes: 'Changes nothing; a text that was read cannot be unread.',
  }),
});

export const writeClipboard = defineAction({
  name: 'WriteClipboard',
  summary: 'Puts a text on the clipboard',
  capability: 'canControlInput',
  effectClass: 'idempotent',
  baseRisk: 'medium',
  parameters: WriteClipboardParameters,
  assess: ({ text }) => ({
    risk: assessRisk({ level: 'medium', reason: 'The text may be pasted somewhere without being read.' }),
    capability: 'canControlInput',
    sentence: `Replace the clipboard with ${textWords(text)}`,
    ...textView(text),
    ...done('The clipboard', 'copied', String(charactersIn(text))),
    target: null,
    denialTarget: 'the clipboard',
    apps: [],
    paths: [],
    onceOnly: true,
    changes: 'Replaces the clipboard; the text before it is lost.',
  }),
});

/** The time that a Wait may take beyond its duration, for the way to the agent and back. */
export const BEYOND_WAIT_MS = 5_000;

export const wait = defineAction({
  name: 'Wait',
  summary: 'Does nothing for a while, on the device',
  capability: null,
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'To let an app finish.',
  lane: 'wait',
  usualTimeoutMs: ({ durationMs }) =>
    Math.max(USUAL_MS, (typeof durationMs === 'number' ? durationMs : MAX_WAIT_MS) + BEYOND_WAIT_MS),
  parameters: WaitParameters,
  assess: ({ durationMs }) => ({
    risk: assessRisk({ level: 'low', reason: 'Waiting does nothing.' }),
    capability: null,
    sentence: `Wait for ${durationMs} ms`,
    target: null,
    denialTarget: 'a wait',
    apps: [],
    paths: [],
    changes: 'Changes nothing.',
  }),
});
