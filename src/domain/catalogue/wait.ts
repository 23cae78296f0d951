import { WaitParameters } from '../../contract/parameters.ts';
import { assessRisk } from '../risk.ts';
import { defineAction } from './definition.ts';

export const wait = defineAction({
  name: 'Wait',
  summary: 'Does nothing for a while, on the device',
  capability: null,
  effectClass: 'pure',
  baseRisk: 'low',
  parameters: WaitParameters,
  assess: ({ durationMs }) => ({
    risk: assessRisk({ level: 'low', reason: 'Waiting does nothing.' }),
    capability: null,
    sentence: `Wait for ${durationMs} ms`,
    target: null,
    denialTarget: 'a wait',
    isIrreversible: false,
    apps: [],
    paths: [],
    changes: 'Changes nothing.',
  }),
});
