import { parseChord } from '../contract/key-chords.ts';
import type { Fault, Step } from './member.ts';

/** Presses one chord in a vendor's spelling. */
export function pressed(chord: string, rest: Record<string, unknown> = {}): Step[] | Fault {
  const keys = spelled(chord);
  const read = parseChord(keys);
  return 'fault' in read ? { fault: read.fault } : [{ actionType: 'PressKeys', parameters: { keys, ...rest } }];
}

/** The modifiers in a text such as "ctrl+shift"; none where there is no text. */
export function modifiersIn(text: unknown): readonly string[] | Fault {
  if (text === undefined || text === null || text === '') return [];
  if (typeof text !== 'string') return { fault: 'the keys held are expected as a text such as "ctrl+shift".' };
  const read = parseChord(spelled(`${text}+a`));
  return 'fault' in read ? { fault: read.fault } : read.modifiers;
}

/** A chord with the names of our keys. */
function spelled(chord: string): string {
  const text = chord.trim() === '' && chord !== '' ? 'space' : chord.trim();
  const whole = text === '+' ? 'plus' : text.endsWith('++') ? `${text.slice(0, -1)}plus` : text;
  // One capital letter alone is typed with Shift; in a chord it is only a way to write the key.
  if (/^\p{Lu}$/u.test(whole)) return `shift+${whole.toLowerCase()}`;
  return whole
    .split('+')
    .map((part) => NAMES.get(part.trim().toLowerCase()) ?? part)
    .join('+');
}

/** Names of X11 and of the vendors for keys that have another name here. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ minus: '-', equal: '=', comma: ',', period: '.', slash: '/', backslash: '\\', semicolon: ';' }),
  ...Object.entries({ apostrophe: "'", grave: '`', bracketleft: '[', bracketright: ']', numbersign: '#', at: '@' }),
  ...Object.entries({ asterisk: '*', kp_enter: 'enter', kp_add: 'plus', kp_subtract: '-', kp_decimal: '.' }),
  ...Object.entries({ prior: 'pageup', next: 'pagedown', 'page-up': 'pageup', 'page-down': 'pagedown' }),
  ...Object.entries({ control_l: 'ctrl', control_r: 'ctrl', alt_l: 'alt', alt_r: 'alt', shift_l: 'shift' }),
  ...Object.entries({ shift_r: 'shift', super_l: 'cmd', super_r: 'cmd', meta_l: 'cmd', windows: 'cmd', opt: 'alt' }),
  ...Array.from({ length: 10 }, (_, digit) => [`kp_${digit}`, String(digit)] as const),
]);
