import { type Static, Type } from 'typebox';
import { FailureCode } from './action.ts';
import { ResolvedPath } from './files.ts';
import type { Place } from './hands.ts';
import { closed, oneOf } from './literals.ts';
import { Control, ResolvedApp, ResolvedWindow } from './screen.ts';

export const AppReference = Type.Object({ kind: Type.Literal('app'), name: Type.String() }, closed);
/** `hidden`: it may also be minimized. */
export const WindowReference = Type.Object(
  { kind: Type.Literal('window'), windowId: Type.String(), hidden: Type.Optional(Type.Boolean()) },
  closed,
);
/** `into`: the contents decide about the risk, so the agent also looks into the file or folder. */
export const PathReference = Type.Object(
  { kind: Type.Literal('path'), path: Type.String(), into: Type.Optional(Type.Boolean()) },
  closed,
);

export const ElementReference = Type.Object({ kind: Type.Literal('element'), elementId: Type.String() }, closed);
/** A point in the pixels of a frame's picture; without a frame, of the desktop. */
export const PointReference = Type.Object(
  { kind: Type.Literal('point'), frameId: Type.Optional(Type.String()), x: Type.Number(), y: Type.Number() },
  closed,
);
/** The element or window that receives the keys now. */
export const FocusReference = Type.Object({ kind: Type.Literal('focus') }, closed);

/** The app that opens the addresses of a scheme. */
export const OpenerReference = Type.Object({ kind: Type.Literal('opener'), scheme: oneOf(['http', 'https']) }, closed);

/** A target as the requester wrote it. */
export const TargetReference = Type.Union([
  AppReference,
  WindowReference,
  PathReference,
  ElementReference,
  PointReference,
  FocusReference,
  OpenerReference,
]);
export type TargetReference = Static<typeof TargetReference>;

/** The same text for the same reference, and for the target that was found for it. Daemon and agent tell references apart by it alone. */
export function keyOf(reference: TargetReference): string {
  return JSON.stringify(partsOf(reference));
}

function partsOf(reference: TargetReference): readonly unknown[] {
  switch (reference.kind) {
    case 'app':
      return ['app', reference.name];
    case 'window':
      return ['window', reference.windowId, reference.hidden === true];
    case 'path':
      return ['path', reference.path, reference.into === true];
    case 'element':
      return ['element', reference.elementId];
    case 'point':
      return ['point', reference.x, reference.y, reference.frameId ?? null]; // guard N25-1
    case 'focus':
      return ['focus'];
    case 'opener':
      return ['opener', reference.scheme];
  }
}

/** The reference of a place; nothing where it names none. */
export function placeReference({ elementId, frameId, x, y }: Place): TargetReference | undefined {
  if (elementId !== undefined) return { kind: 'element', elementId };
  if (x === undefined || y === undefined) return undefined;
  return { kind: 'point', frameId, x, y };
}

/** A place on the desktop, in the units of its displays. */
const Point = Type.Object({ x: Type.Number(), y: Type.Number() }, closed);

/** A target as the agent found it. An opener is without an app where the desktop does not say which app opens the address. */
export const Target = Type.Union([
  Type.Object({ ...AppReference.properties, app: ResolvedApp }, closed),
  Type.Object({ ...WindowReference.properties, window: ResolvedWindow }, closed),
  Type.Object({ ...PathReference.properties, file: ResolvedPath }, closed),
  Type.Object({ ...ElementReference.properties, control: Control }, closed),
  Type.Object({ ...PointReference.properties, control: Control, at: Point }, closed),
  Type.Object({ ...FocusReference.properties, control: Control }, closed),
  Type.Object({ ...OpenerReference.properties, app: Type.Optional(ResolvedApp) }, closed),
]);
export type Target = Static<typeof Target>;
export type ControlTarget = Extract<Target, { control: Control }>;

/** The target that was found for a reference. */
export function targetFor(targets: readonly Target[], reference: TargetReference): Target | undefined {
  const key = keyOf(reference);
  return targets.find((target) => keyOf(target) === key);
}

/** The place to which a path led. The agent may have looked into it or not. */
export function fileFor(targets: readonly Target[], path: string): ResolvedPath | undefined {
  const target = targetFor(targets, { kind: 'path', path, into: true }) ?? targetFor(targets, { kind: 'path', path });
  return target?.kind === 'path' ? target.file : undefined;
}

/** A reference that leads nowhere, or to a place that the agent may not look into. */
export const LostTarget = Type.Object(
  {
    kind: Type.Literal('lost'),
    reference: TargetReference,
    code: FailureCode,
    message: Type.String(),
    fix: Type.Optional(Type.String()),
  },
  closed,
);
export type LostTarget = Static<typeof LostTarget>;

/** The parameters of the agent's one look at all references of an action. */
export const ResolveTargetsParameters = Type.Object(
  { references: Type.Array(TargetReference, { maxItems: 64 }) },
  closed,
);
export type ResolveTargetsParameters = Static<typeof ResolveTargetsParameters>;

/** The agent's findings, in the order of the references. */
export const ResolvedTargets = Type.Object({ targets: Type.Array(Type.Union([Target, LostTarget])) }, closed);
export type ResolvedTargets = Static<typeof ResolvedTargets>;
