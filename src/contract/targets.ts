import { type Static, Type } from 'typebox';
import { FailureCode } from './action.ts';
import { ResolvedPath } from './files.ts';
import { closed } from './literals.ts';
import { ResolvedApp, ResolvedWindow } from './screen.ts';

export const AppReference = Type.Object({ kind: Type.Literal('app'), name: Type.String() }, closed);
export const WindowReference = Type.Object({ kind: Type.Literal('window'), windowId: Type.String() }, closed);
/** `into`: the contents decide about the risk, so the agent also looks into the file or folder. */
export const PathReference = Type.Object(
  { kind: Type.Literal('path'), path: Type.String(), into: Type.Optional(Type.Boolean()) },
  closed,
);

/** A target as the requester wrote it. */
export const TargetReference = Type.Union([AppReference, WindowReference, PathReference]);
export type TargetReference = Static<typeof TargetReference>;

/** A target as the agent found it. */
export const Target = Type.Union([
  Type.Object({ ...AppReference.properties, app: ResolvedApp }, closed),
  Type.Object({ ...WindowReference.properties, window: ResolvedWindow }, closed),
  Type.Object({ ...PathReference.properties, file: ResolvedPath }, closed),
]);
export type Target = Static<typeof Target>;

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
