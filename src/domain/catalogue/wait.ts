import { MAX_WAIT_MS, WaitParameters } from '../../contract/parameters.ts';
import { assessRisk } from '../risk.ts';
import { defineAction, USUAL_MS } from './definition.ts';

/** The time that a Wait may take beyond its duration, for the way to the agent and back. */
export const BEYOND_WAIT_MS = 5_000;

export const wait = defineAction({
  name: 'Wait',
  summary: 'Does nothing for a while, on the device',
  capability: null,
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'To let an app finish.',
  lane: 'wait',
  usualTimeoutMs: ({ durationMs }) =>
    Math.max(USUAL_MS, (typeof durationMs === 'number' ? durationMs : MAX_WAIT_MS) + BEYOND_WAIT_MS),
  parameters: WaitParameters,
  assess: ({ durationMs }) => ({
    risk: assessRisk({ level: 'low', reason: 'Waiting does nothing.' }),
    capability: null,
    sentence: `Wait for ${durationMs} ms`,
    target: null,
    denialTarget: 'a wait',
    apps: [],
    paths: [],
    changes: 'Changes nothing.',
  }),
});
