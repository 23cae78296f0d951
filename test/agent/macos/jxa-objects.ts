/** Objective-C objects as the scripting bridge of macOS hands them to a script: wrapped, and of no use until unwrapped. */

/**
 * The members of an object that a script may read, call or assign. A `get` runs when it is read, as methods without
 * arguments do.
 */
export type Member = {
  get?: () => unknown;
  call?: (...values: NativeValue[]) => unknown;
  /** For a method whose last argument is an out-parameter, given as a `Ref()` or not at all. */
  callWithOut?: (out: Out, ...values: NativeValue[]) => unknown;
  set?: (value: NativeValue) => void;
};

/** Where an out-parameter goes. */
export type Out = (value: NativeValue) => void;

export type NativeObject = {
  native: true;
  /** Its class and those it inherits from, nearest first. */
  classes: readonly string[];
  /** Set for values that the bridge can turn into JavaScript. */
  content?: NativeContent;
  members: Record<string, Member>;
};

export type NativeContent =
  | { kind: 'string'; value: string }
  | { kind: 'number'; value: number | boolean }
  | { kind: 'array'; items: readonly NativeObject[] }
  | { kind: 'dictionary'; entries: ReadonlyMap<string, NativeObject> };

/** An argument as a method gets it: strings, numbers and truth values arrive as objects, nil as null. */
export type NativeValue = NativeObject | null;

/** A C pointer: opaque to a script unless it casts it. */
export type CReference = { reference: true; to: NativeObject | null };

const WRAPPED = new WeakMap<object, NativeObject | null>();
const OUT_PARAMETERS = new WeakSet<object>();

/** `Ref()`: a value that a function writes arrives at index 0. */
export function createRef(): object {
  const reference = {};
  OUT_PARAMETERS.add(reference);
  return reference;
}

export function outOf(value: unknown): Out {
  if (typeof value !== 'object' || value === null || !OUT_PARAMETERS.has(value)) return () => undefined;
  return (held) => {
    Object.assign(value, { 0: toScript(held) });
  };
}

export function native(classes: readonly string[], members: Record<string, Member> = {}): NativeObject {
  return { native: true, classes: [...classes, 'NSObject'], members };
}

export function nsString(value: string): NativeObject {
  return {
    ...native(['NSString'], {
      length: { get: () => String(value.length) },
      // Data stands for the text that it holds.
      dataUsingEncoding: { call: () => nsString(value) },
      bytes: { get: () => ({ utf16: value }) },
    }),
    content: { kind: 'string', value },
  };
}

export function nsNumber(value: number | boolean): NativeObject {
  const members = { intValue: { get: () => Number(value) }, boolValue: { get: () => Boolean(value) } };
  return { ...native(['NSNumber'], members), content: { kind: 'number', value } };
}

export function nsArray(items: readonly NativeObject[]): NativeObject {
  const members = {
    // The bridge hands NSUInteger over as a string.
    count: { get: () => String(items.length) },
    objectAtIndex: {
      call: (index: NativeValue) => {
        const item = items[Number(jsValue(index))];
        if (item === undefined) throw new RangeError(`NSRangeException: index ${jsValue(index)} beyond bounds`);
        return item;
      },
    },
  };
  return { ...native(['NSArray'], members), content: { kind: 'array', items } };
}

export function nsDictionary(values: Record<string, NativeObject>): NativeObject {
  const entries = new Map(Object.entries(values));
  const members = { objectForKey: { call: (key: NativeValue) => entries.get(String(jsValue(key))) ?? null } };
  return { ...native(['NSDictionary'], members), content: { kind: 'dictionary', entries } };
}

/** JavaScript values as Foundation objects, deeply, as `$(value)` makes them. */
export function toNative(value: unknown): NativeValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object' && isNative(value)) return value;
  const wrapped = unwrapped(value);
  if (wrapped !== undefined) return wrapped;
  if (typeof value === 'string') return nsString(value);
  if (typeof value === 'number' || typeof value === 'boolean') return nsNumber(value);
  if (Array.isArray(value)) return nsArray(value.map((item) => toNative(item) ?? native(['NSNull'])));
  if (typeof value === 'object') {
    return nsDictionary(
      Object.fromEntries(Object.entries(value).map(([key, held]) => [key, toNative(held) ?? native(['NSNull'])])),
    );
  }
  throw new TypeError(`cannot be made an Objective-C object: ${typeof value}`);
}

/** As an argument of a method: only what the bridge converts by itself; arrays and dictionaries have to be wrapped. */
export function toArgument(value: unknown): NativeValue {
  if (isReference(value)) return value.to;
  const plainObject = typeof value === 'object' && value !== null && !isNative(value);
  if (plainObject)
    throw new TypeError('a JavaScript array or object was passed where an Objective-C object is expected');
  return toNative(value);
}

/** A result as the script sees it: objects wrapped; numbers, truth values and structures unchanged. */
export function toScript(value: unknown): unknown {
  if (value === null) return wrap(null);
  return typeof value === 'object' && isNative(value) ? wrap(value) : value;
}

export function wrap(object: NativeObject | null): unknown {
  const proxy: object = new Proxy(() => undefined, {
    get: (_target, name) => readMember(object, name),
    set: (_target, name, value) => writeMember(object, String(name), value),
    apply: () => {
      throw new TypeError(`${classOf(object)} is not a function`);
    },
  });
  WRAPPED.set(proxy, object);
  return proxy;
}

/** The object under a wrapper, null for a wrapped nil, undefined for a value without a wrapper. */
export function unwrapped(value: unknown): NativeValue | undefined {
  const isWrappable = (typeof value === 'object' || typeof value === 'function') && value !== null;
  return isWrappable ? WRAPPED.get(value) : undefined;
}

/** `ObjC.unwrap`: one level; a value without a JavaScript form stays wrapped, nil becomes undefined. */
export function shallow(value: unknown): unknown {
  const object = unwrapped(value);
  if (object === undefined) return value;
  if (object === null) return undefined;
  if (object.content === undefined) return value;
  if (object.content.kind === 'array') return object.content.items.map(wrap);
  if (object.content.kind === 'dictionary') {
    return Object.fromEntries([...object.content.entries].map(([key, held]) => [key, wrap(held)]));
  }
  return object.content.value;
}

/** `ObjC.deepUnwrap`: all levels. */
export function deep(value: unknown): unknown {
  const level = shallow(value);
  if (Array.isArray(level)) return level.map(deep);
  if (typeof level !== 'object' || level === null || isReference(level)) return level;
  return Object.fromEntries(Object.entries(level).map(([key, held]) => [key, deep(held)]));
}

export function jsValue(value: NativeValue): string | number | boolean | undefined {
  const content = value?.content;
  return content?.kind === 'string' || content?.kind === 'number' ? content.value : undefined;
}

export function isReference(value: unknown): value is CReference {
  return typeof value === 'object' && value !== null && 'reference' in value;
}

export function isKindOf(object: NativeValue, className: string): boolean {
  return object?.classes.includes(className) ?? false;
}

function isNative(value: object): value is NativeObject {
  return 'native' in value && value.native === true;
}

function classOf(object: NativeObject | null): string {
  return object === null ? 'nil' : String(object.classes[0]);
}

function readMember(object: NativeObject | null, name: string | symbol): unknown {
  if (name === 'isNil') return () => object === null;
  if (name === 'js') return shallow(wrap(object));
  // Concatenation and comparison see the wrapper, not what it holds.
  if (name === Symbol.toPrimitive) return () => `[id ${classOf(object)}]`;
  if (typeof name === 'symbol') return undefined;
  // Stricter than macOS, where messages to nil answer nothing, so that a script that forgot to ask is found out.
  if (object === null) throw new TypeError(`${name} was asked of nil`);
  if (name === 'isKindOfClass') return (wanted: unknown) => isKindOf(object, className(wanted));
  if (name === 'respondsToSelector') return (selector: unknown) => respondsTo(object, String(selector));
  return readOwn(object, name);
}

function readOwn(object: NativeObject, name: string): unknown {
  const member = object.members[name];
  if (member?.get) return toScript(member.get());
  if (member?.call) {
    const { call } = member;
    return (...values: unknown[]) => toScript(call(...values.map(toArgument)));
  }
  if (member?.callWithOut) {
    const { callWithOut } = member;
    return (...values: unknown[]) =>
      toScript(callWithOut(outOf(values.at(-1)), ...values.slice(0, -1).map(toArgument)));
  }
  return undefined;
}

function writeMember(object: NativeObject | null, name: string, value: unknown): boolean {
  const set = object?.members[name]?.set;
  if (set === undefined) throw new TypeError(`${classOf(object)} has no property ${name} to assign`);
  set(toArgument(value));
  return true;
}

function className(wanted: unknown): string {
  const object = unwrapped(wanted);
  return object === undefined || object === null ? '' : String(object.classes[0]);
}

function respondsTo(object: NativeObject, selector: string): boolean {
  const setter = /^set([A-Z])(\w*):$/.exec(selector);
  if (setter === null) return object.members[selector.replace(/:$/, '')] !== undefined;
  return object.members[`${setter[1]?.toLowerCase()}${setter[2]}`]?.set !== undefined;
}
