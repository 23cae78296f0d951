import { type Static, Type } from 'typebox';
import { ConfirmationId } from './ids.ts';
import { closed, oneOf } from './literals.ts';
import { PublicKey, Session } from './session.ts';
import type { ShellCallName } from './shell-calls.ts';

/** The permissions of macOS that the person has to give. */
export const PERMISSIONS_TO_GIVE = ['screenRecording', 'accessibility'] as const;
export type PermissionToGive = (typeof PERMISSIONS_TO_GIVE)[number];

/** macOS asks for these when an action needs one for the first time. No call of macOS tells their state without asking. */
export const PERMISSIONS_ON_DEMAND = ['automation', 'filesAndFolders'] as const;
export type PermissionOnDemand = (typeof PERMISSIONS_ON_DEMAND)[number];

const MacPermission = oneOf([...PERMISSIONS_TO_GIVE, ...PERMISSIONS_ON_DEMAND]);
export type MacPermission = Static<typeof MacPermission>;

/**
 * `granted`: a look at the system has proven it. `stale`: the switch is on, or was on for an earlier version, and has no effect.
 * `unknown`: nothing has looked yet. `on_demand`: macOS asks the person when an action needs it.
 */
const PermissionStepState = oneOf(['granted', 'missing', 'stale', 'unknown', 'on_demand']);
export type PermissionStepState = Static<typeof PermissionStepState>;

export const PermissionStep = Type.Object(
  {
    permission: MacPermission,
    state: PermissionStepState,
    name: Type.String({ description: 'as System Settings calls it' }),
    why: Type.String({ description: 'the reason Handrail needs it' }),
    todo: Type.Optional(Type.String({ description: 'the next thing for the person to do' })),
    command: Type.Optional(Type.String({ description: 'that makes macOS forget a stale grant' })),
  },
  closed,
);
export type PermissionStep = Static<typeof PermissionStep>;

const PermissionWalk = Type.Object({ steps: Type.Array(PermissionStep) }, closed);

/** Why there is no touch: the person said no, this Mac cannot ask now, or the prompt waits no longer. */
const TouchAnswer = oneOf(['touched', 'refused', 'unavailable', 'gone']);
export type TouchAnswer = Static<typeof TouchAnswer>;

const Nothing = Type.Object({}, closed);

/** The request and the answer of each call. */
export const SHELL_CALLS = {
  /** Opens a session for this window. Without a public key, as in a test, its calls need no proof. */
  signIn: { request: Type.Object({ publicKey: Type.Optional(PublicKey) }, closed), answer: Session },
  /** Asks for the person's finger, to prove presence for a prompt of high risk. */
  touchId: { request: Type.Object({ confirmationId: ConfirmationId }, closed), answer: TouchAnswer },
  /** Looks at the permissions now. */
  permissions: { request: Nothing, answer: PermissionWalk },
  openPane: { request: Type.Object({ permission: MacPermission }, closed), answer: Nothing },
  relaunch: { request: Nothing, answer: Nothing },
} as const satisfies Record<ShellCallName, unknown>;

export type ShellRequest<Name extends ShellCallName> = Static<(typeof SHELL_CALLS)[Name]['request']>;
export type ShellAnswer<Name extends ShellCallName> = Static<(typeof SHELL_CALLS)[Name]['answer']>;

/** The calls as the page makes them. A call that the shell refuses rejects. */
export type ShellBridge = { [Name in ShellCallName]: (request: ShellRequest<Name>) => Promise<ShellAnswer<Name>> };
