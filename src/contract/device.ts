import { type Static, Type } from 'typebox';
import { DeviceId, Timestamp, UserId } from './ids.ts';
import { closed, described, oneOf } from './literals.ts';
import { MachineName, MachineState } from './machine.ts';
import { LOCAL } from './machine-rules.ts';

/** `true`: allowed as far as the profile allows it. Absent: always ask the person. `false`: refuse. */
export const Capabilities = Type.Object(
  {
    canOpenApps: Type.Optional(Type.Boolean()),
    canAccessFiles: Type.Optional(Type.Boolean()),
    canCaptureScreen: Type.Optional(Type.Boolean()),
    canRunScripts: Type.Optional(Type.Boolean()),
    canControlInput: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type Capabilities = Static<typeof Capabilities>;
export type Capability = keyof Capabilities;

export const DEVICE_TYPE = '^[a-z][a-z0-9-]{0,31}$';

export const DeviceRegistration = Type.Object(
  {
    type: Type.String({
      pattern: DEVICE_TYPE,
      description: '`macos`, `linux`, or another lower-case word',
    }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    capabilities: Capabilities,
    machine: Type.Optional(
      described(Type.Union([Type.Literal(LOCAL), MachineName]), 'one of the person’s machines; `local` by default'),
    ),
  },
  {
    ...closed,
    examples: [
      {
        type: 'macos',
        name: 'My Mac',
        capabilities: { canOpenApps: true, canAccessFiles: true, canCaptureScreen: true, canRunScripts: true },
      },
    ],
  },
);
export type DeviceRegistration = Static<typeof DeviceRegistration>;

export const Platform = oneOf(['macos', 'linux', 'fake']);
export type Platform = Static<typeof Platform>;

export const PermissionState = described(
  oneOf(['granted', 'denied', 'unknown', 'not_required', 'switched_off']),
  '`switched_off`: accessibility of a Linux session, which some apps look at as they start',
);
export type PermissionState = Static<typeof PermissionState>;

export const Permissions = Type.Object(
  {
    screenRecording: PermissionState,
    accessibility: PermissionState,
    automation: described(
      PermissionState,
      'always `not_required`: no action of the desktop sends Apple events. Scripts may, and macOS asks for each app then',
    ),
  },
  closed,
);
export type Permissions = Static<typeof Permissions>;

/** `bounds` is in the desktop's own units (points on macOS, pixels on X11), origin at the main display's top left. */
export const Bounds = Type.Object(
  { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() },
  closed,
);
export type Bounds = Static<typeof Bounds>;

export const Display = Type.Object(
  {
    id: Type.String({ maxLength: 255 }),
    name: Type.String({ maxLength: 255 }),
    primary: Type.Boolean(),
    bounds: Bounds,
    scale: Type.Number({ description: 'physical pixels per unit of bounds' }),
  },
  closed,
);
export type Display = Static<typeof Display>;

/** Each answer about a device repeats them. */
export const Displays = Type.Array(Display, { maxItems: 64 });

export const DeviceAgent = Type.Object(
  {
    id: Type.String(),
    platform: Platform,
    hostname: Type.String(),
    version: Type.String(),
    displays: Displays,
    permissions: Permissions,
  },
  closed,
);
export type DeviceAgent = Static<typeof DeviceAgent>;

export const Device = Type.Object(
  {
    id: DeviceId,
    deviceId: DeviceId,
    type: Type.String(),
    name: Type.String(),
    capabilities: Capabilities,
    ownerId: UserId,
    machine: Type.String(),
    platform: described(Type.Union([Platform, Type.Null()]), 'of the machine, as far as it is known'),
    ...MachineState.properties,
    agent: Type.Union([DeviceAgent, Type.Null()]),
    warnings: Type.Array(Type.String()),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
  },
  closed,
);
export type Device = Static<typeof Device>;
