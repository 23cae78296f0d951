import {
  OpenUrlParameters,
  ReadClipboardParameters,
  WaitForParameters,
  WriteClipboardParameters,
} from '../../../contract/hands.ts';
import { webAddress } from '../../../contract/web-address.ts';
import { assessRisk } from '../../risk.ts';
import { secretInText } from '../../secret-text.ts';
import { defineAction } from '../definition.ts';
import { quoted, shortened } from '../window-words.ts';
import { textView, textWords } from './text-words.ts';

export const waitFor = defineAction({
  name: 'WaitFor',
  summary: 'Waits until a window, an element or a text is there, or gone',
  capability: null,
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'Better than waiting a fixed time.',
  isUsual: true,
  isCapture: true,
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
      sentence: `Wait until ${what} is ${gone ? 'gone' : 'there'}`,
      target: null,
      denialTarget: reads ? 'contents of every display' : 'names of every display',
      apps: [],
      paths: [],
      changes: 'Changes nothing.',
    };
  },
});

export const openUrl = defineAction({
  name: 'OpenUrl',
  summary: 'Opens an address in the browser or the mail program',
  capability: 'canOpenApps',
  effectClass: 'once',
  baseRisk: 'medium',
  isUsual: true,
  reachesOut: true,
  parameters: OpenUrlParameters,
  faults({ url }) {
    const address = webAddress(url);
    return 'fault' in address ? [{ pointer: '/url', message: address.fault }] : [];
  },
  assess({ url }) {
    const address = webAddress(url);
    const shown = 'fault' in address ? url : address.shown;
    const { host } = URL.parse(url) ?? { host: '' };
    const secret = secretInText(url);
    return {
      risk: assessRisk(
        { level: 'medium', reason: 'A page learns that you opened it, and the address may carry data.' },
        secret === undefined ? [] : [{ level: 'high', reason: `The address seems to hold ${secret}.` }],
      ),
      capability: 'canOpenApps',
      sentence: `Open ${quoted(shown)}`,
      target: shown,
      denialTarget: host === '' ? shown : host,
      apps: [],
      paths: [],
      onceOnly: true,
      changes: 'Opens a page. A page that was asked for something cannot be asked to forget it.',
    };
  },
});

export const readClipboard = defineAction({
  name: 'ReadClipboard',
  summary: 'Reads the text of the clipboard',
  capability: 'canControlInput',
  effectClass: 'pure',
  baseRisk: 'high',
  isCapture: true,
  parameters: ReadClipboardParameters,
  assess: () => ({
    risk: assessRisk({ level: 'high', reason: 'The clipboard may hold a password or something else that is private.' }),
    capability: 'canControlInput',
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
    target: null,
    denialTarget: 'the clipboard',
    apps: [],
    paths: [],
    onceOnly: true,
    changes: 'Replaces the clipboard; the text before it is lost.',
  }),
});
