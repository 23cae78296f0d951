import type { FakeElement } from './fake-mac.ts';
import { jsValue, type NativeObject, type NativeValue, native } from './jxa-objects.ts';

export type Target =
  | { kind: 'system' }
  | { kind: 'app'; pid: number }
  | { kind: 'element'; pid: number; element: FakeElement };

export const TARGETS = new WeakMap<NativeObject, Target>();
const DESCRIPTIONS = new WeakMap<NativeObject, string>();

/** The result of CFCopyDescription for a value. */
export function describe(value: NativeValue): string {
  if (value === null) return '(null)';
  return DESCRIPTIONS.get(value) ?? String(jsValue(value) ?? `<${value.classes[0]} 0x600000c0ffee>`);
}

export function element(target: Target): NativeObject {
  const object: NativeObject = native(['AXUIElement', '__NSCFType'], {
    isEqual: {
      call: (other) => isSame(target, other === null || other === undefined ? undefined : TARGETS.get(other)),
    },
  });
  TARGETS.set(object, target);
  return object;
}

function isSame(one: Target, other: Target | undefined): boolean {
  if (one.kind === 'element' && other?.kind === 'element') return one.element === other.element;
  return one.kind === 'app' && other?.kind === 'app' && one.pid === other.pid;
}

export function structure(text: string, type: string): NativeObject {
  const object = native(['AXValue', '__NSCFType']);
  DESCRIPTIONS.set(object, `<AXValue 0x600003c0c3a0> {value = ${text} type = kAXValue${type}Type}`);
  return object;
}

/** The numbers in a structure that a script made of their bytes, in the order in which it holds them. */
const NUMBERS = new WeakMap<NativeObject, readonly [number, number]>();

export function structureOf(type: number, bytes: unknown): NativeObject {
  const data = Buffer.from((bytes as { base64: string }).base64, 'base64');
  const [one, other] = [data.readDoubleLE(0), data.readDoubleLE(8)];
  const object = structure(
    type === 1 ? `x:${one} y:${other}` : `w:${one} h:${other}`,
    type === 1 ? 'CGPoint' : 'CGSize',
  );
  NUMBERS.set(object, [one, other]);
  return object;
}

export function numbersIn(value: NativeValue): readonly [number, number] | undefined {
  return value === null ? undefined : NUMBERS.get(value);
}
