import { type Static, Type } from 'typebox';
import { Permissions } from './device.ts';
import { Timestamp } from './ids.ts';
import { closed, described } from './literals.ts';
import { Machine, MachineState } from './machine.ts';

/** A machine as the person sees it. */
export const MachineView = Type.Object(
  {
    ...Machine.properties,
    ...MachineState.properties,
    platform: Type.Optional(Type.String()),
    hostname: Type.Optional(Type.String()),
    version: Type.Optional(Type.String()),
    displays: Type.Optional(described(Type.Integer(), 'how many it has')),
    permissions: Type.Optional(Permissions),
    running: described(Type.Integer(), 'actions that it has not ended yet, also after the emergency stop'),
    addedAt: Timestamp,
  },
  closed,
);
export type MachineView = Static<typeof MachineView>;

export const MachineList = Type.Object({ items: Type.Array(MachineView) }, closed);
export type MachineList = Static<typeof MachineList>;
