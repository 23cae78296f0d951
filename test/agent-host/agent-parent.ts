import { startForkedAgent } from './forked-agent.ts';

/**
 * A daemon reduced to its agent, for a test to kill: it has the agent open an app that hangs, and writes the agent's
 * process id to standard output once that has begun.
 */
const agent = await startForkedAgent({ scenario: { openApp: { beforeEffect: { mishap: 'hang' } } } });
await until(() => agent.link.port.status() === 'online');
agent.link.port.perform({
  actionId: 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  attempt: 1,
  actionType: 'OpenApp',
  parameters: { appName: 'Notes' },
  capabilities: {},
  effectClass: 'idempotent',
  deadlineMs: 60_000,
  digest: 'a'.repeat(64),
});
await until(() => agent.accepted.length > 0);
process.stdout.write(`${agent.hellos[0]?.pid}\n`);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
