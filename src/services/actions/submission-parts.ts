import type { DeviceRow } from '../../store/records/devices.ts';
import type { MachineAgents } from '../machines/agents.ts';
import type { Refusal } from '../refusal.ts';
import type { CallingPrograms } from '../requesters/calling-programs.ts';
import type { KnownRequesters, Requesters } from '../requesters/requesters.ts';
import type { Asking, Rules } from './admission.ts';
import type { CallOffs } from './call-offs.ts';
import type { Execution } from './execution.ts';
import type { LiveActions } from './live-actions.ts';
import type { Rejudging } from './rejudging.ts';

/** The parts of the other services that a submission uses. */
export type SubmissionParts = {
  agents: MachineAgents;
  live: LiveActions;
  execution: Execution;
  confirmations: Asking;
  /** Records which program submitted what the person is asked about. */
  programs: CallingPrograms;
  callOffs: Pick<CallOffs, 'isCalledOff'>;
  /** Judges the actions that wait for the person anew. */
  rejudging: Pick<Rejudging, 'note'>;
  deviceOf(userId: string, deviceId: string): DeviceRow | Refusal;
  rules: Rules;
  requesters: Requesters;
  /** Whether the person has dealt with this requester before. */
  isKnown: KnownRequesters['isKnown'];
  /** Why nothing is taken now, if so. */
  stopped(): Refusal | undefined;
};
