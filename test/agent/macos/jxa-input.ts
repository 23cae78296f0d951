import { deliver, type FakeEvent } from './fake-hands.ts';
import type { FakeMac } from './fake-mac.ts';
import type { CFunction } from './jxa-functions.ts';
import { isReference, jsValue, type NativeObject, type NativeValue, native, nsString } from './jxa-objects.ts';

const GRAPHICS = ['CoreGraphics', 'Quartz', 'AppKit', 'Cocoa'];
const CARBON = ['Carbon'];
const EVENTS = new WeakMap<NativeObject, FakeEvent>();

/** The top rows of a US keyboard, by the codes of their keys, plain and with Shift. */
const US: Readonly<Record<number, string>> = {
  0: 'aA',
  1: 'sS',
  2: 'dD',
  3: 'fF',
  4: 'hH',
  5: 'gG',
  6: 'zZ',
  7: 'xX',
  8: 'cC',
  9: 'vV',
  11: 'bB',
  12: 'qQ',
  13: 'wW',
  14: 'eE',
  15: 'rR',
  16: 'yY',
  17: 'tT',
  18: '1!',
  19: '2@',
  24: '=+',
  31: 'oO',
  35: 'pP',
  44: '/?',
};
const SHIFT = 0x20000;

/** The functions of events and of the keyboard that the driver's scripts use, over a Mac in memory. */
export function inputFunctions(mac: FakeMac): Record<string, CFunction> {
  const { hands } = mac;
  const bridged = (parameters: readonly string[], call: CFunction['call']): CFunction => {
    return { result: 'ref', parameters, call, frameworks: GRAPHICS, bridged: true };
  };
  const declared = (result: string, parameters: readonly string[], call: CFunction['call']): CFunction => {
    return { result, parameters, call, frameworks: CARBON, bridged: false };
  };
  const create = (event: Partial<FakeEvent>) => {
    const object = native(['CGEvent', '__NSCFType']);
    const blank = { type: 0, flags: 0, button: 0, code: 0, text: null, lines: [0, 0], clicks: 1 } as const;
    EVENTS.set(object, { ...blank, at: hands.pointer, ...event });
    return object;
  };
  return {
    CGEventSourceCreate: bridged(['int'], () => native(['CGEventSource'])),
    CGEventSourceSetLocalEventsSuppressionInterval: bridged(['ref', 'double'], (_source, seconds) => {
      hands.suppressionSeconds = Number(seconds);
    }),
    // The bridge hands counts over as strings; each event is of one type.
    CGEventSourceCounterForEventType: bridged(['int', 'int'], (_state, type) =>
      type === 5 ? String(hands.events) : '0',
    ),
    CGEventSourceSecondsSinceLastEventType: bridged(
      ['int', 'int'],
      () => (mac.clock.now() - hands.lastEventMs) / 1_000,
    ),
    CGEventSourceFlagsState: bridged(['int'], () => String(hands.deviceFlags)),
    CGEventSourceButtonState: bridged(['int', 'int'], () => false),
    CGEventCreate: bridged(['ref'], () => create({})),
    CGEventGetLocation: bridged(['ref'], (event) => ({ ...eventOf(event).at })),
    CGEventSetLocation: bridged(['ref', 'point'], (event, at) => void Object.assign(eventOf(event), { at })),
    CGPointMake: bridged(['double', 'double'], (x, y) => ({ x: Number(x), y: Number(y) })),
    CGEventCreateMouseEvent: bridged(['ref', 'int', 'point', 'int'], (_source, type, at, button) =>
      create({ type: Number(type), at: at as FakeEvent['at'], button: Number(button) }),
    ),
    CGEventSetIntegerValueField: bridged(['ref', 'int', 'int'], (event, field, value) => {
      if (field !== 1) throw new TypeError('no field but the click state is used');
      eventOf(event).clicks = Number(value);
    }),
    CGEventCreateScrollWheelEvent2: bridged(['ref', 'int', 'int', 'int', 'int', 'int'], (...values) =>
      create({ type: 22, lines: [Number(values[3]), Number(values[4])] }),
    ),
    CGEventCreateKeyboardEvent: bridged(['ref', 'int', 'bool'], (_source, code, isDown) =>
      create({ type: isDown ? 10 : 11, code: Number(code) }),
    ),
    CGEventSetFlags: bridged(['ref', 'int'], (event, flags) => void Object.assign(eventOf(event), { flags })),
    CGEventGetFlags: bridged(['ref'], (event) => String(eventOf(event).flags)),
    CGEventPost: bridged(['int', 'ref'], (_tap, event) => deliver(mac, eventOf(event))),
    CGEventKeyboardSetUnicodeString: {
      ...declared('void', ['void *', 'unsigned long', 'void *'], (event, length, bytes) => {
        const text = (bytes as { utf16: string }).utf16.slice(0, Number(length));
        // The limit of macOS, beyond which characters are dropped.
        eventOf(event).text = text.slice(0, 20);
      }),
      frameworks: GRAPHICS,
    },
    IsSecureEventInputEnabled: declared('bool', [], () => hands.isSecure),
    TISCopyCurrentKeyboardInputSource: declared('id', [], () => native(['TISInputSource', '__NSCFType'])),
    TISGetInputSourceProperty: declared('id', ['id', 'id'], (_source, name) =>
      jsValue(name as NativeValue) === 'TISPropertyInputSourceType' ? nsString(hands.inputSource) : null,
    ),
  };
}

/** The character of a key, as NSEvent tells it for an event. */
export function charactersOf({ hands }: FakeMac, event: NativeValue): string {
  const { code, flags } = eventOf({ reference: true, to: event });
  return (hands.keys ?? US)[code]?.[flags & SHIFT ? 1 : 0] ?? '';
}

function eventOf(value: unknown): FakeEvent {
  const event = isReference(value) && value.to !== null ? EVENTS.get(value.to) : undefined;
  if (event === undefined) throw new TypeError('Ref has incompatible type: expected a CGEvent');
  return event;
}
