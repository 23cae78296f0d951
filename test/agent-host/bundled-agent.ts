import { join } from 'node:path';
import type { AgentEntry } from '../../src/agent-host/process.ts';
import { DAEMON_FOLDER } from '../../src/packaging/places.ts';

/**
 * The agent as `npm start` runs it. The set-up of `long`, `desktop` and `loads` builds it. It starts with a third of the processor time
 * that the agent needs from its sources.
 */
export const BUNDLED_AGENT: AgentEntry = { file: join(DAEMON_FOLDER, 'agent.js'), args: [] };
