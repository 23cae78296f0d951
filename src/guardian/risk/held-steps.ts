import type { InsightStep } from '../../contract/guardian.ts';
import type { HeldControl } from './refusing-controls.ts';

const STATUS = '/api/console/status';

const look = (label: string, target: string | null): InsightStep => ({ kind: 'inspect', label, target });

/** The next step of the person when attempts were refused. */
export const HELD_STEPS: Record<HeldControl, InsightStep> = {
  webPage: look('Close the web page that sends these requests', null),
  host: look('Close the web page that sends these requests', null),
  osUser: look('Find out which OS user calls Handrail', null),
  userKey: look('Look at your requesters', STATUS),
  consoleKey: look('Look at who is signed in', '/api/console/sessions'),
  agentToken: look('Look at the state of the agent', STATUS),
  selfApproval: { kind: 'review_grants', label: 'Look at your grants', target: null },
  promptState: look('Look at the prompts that wait', '/api/console/confirmations'),
  agentResult: look('Look at the state of the agent', STATUS),
};
