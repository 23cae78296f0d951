import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStdioChannel } from '../../agent/stdio-channel.ts';
import { createAgentLink } from '../../src/agent-host/link/agent-link.ts';
import { createSshAgent } from '../../src/agent-host/ssh-agent.ts';
import { runStdioAgent } from '../../src/agent-host/stdio-agent.ts';
import { createAgentSupervisor } from '../../src/agent-host/supervisor.ts';
import type { HelloParams } from '../../src/contract/link.ts';
import { DAEMON_FOLDER } from '../../src/packaging/places.ts';
import type { AttemptOutcome } from '../../src/services/agent/port.ts';
import { PATIENCE } from '../runner/patience.ts';
import { fakeSsh } from './fake-ssh.ts';
import { ACTION_A, performOf } from './link/rig.ts';

/** An agent process with the fake driver, at the other end of an `ssh` that starts it on this computer. */
async function startAgent({ options = '', before = '' } = {}) {
  const seen = { hellos: [], outcomes: [], lines: [], violations: [] } as {
    hellos: HelloParams[];
    outcomes: AttemptOutcome[];
    lines: string[];
    violations: string[];
  };
  let accepted = 0;
  const link = createAgentLink({ abandon: (next) => supervisor.replace(next) });
  link.listen({
    online(hello) {
      seen.hellos.push(hello);
      return [];
    },
    accepted() {
      accepted += 1;
    },
    finished: (_key, outcome) => void seen.outcomes.push(outcome),
    lost: () => undefined,
    statusChanged: () => undefined,
    violated: ({ kind, detail }) => void seen.violations.push(`${kind}: ${detail}`),
  });
  const program = `'${process.execPath}' ${options} '${join(DAEMON_FOLDER, 'agent-stdio.js')}'`;
  const log = (_fields: object, message: string) => void seen.lines.push(message);
  const supervisor = createAgentSupervisor({
    spawn: createSshAgent({
      machine: { name: 'studio', address: 'studio' },
      environment: fakeSsh(`${before}\nHANDRAIL_AGENT_DRIVER=fake exec ${program}`).environment,
      attach: (transport) => link.door.attach(transport),
    }),
    url: () => '',
    link: link.process,
    log: { info: log, warn: log, error: log },
  });
  onTestFinished(async () => {
    await supervisor.stop();
    link.close();
  });
  supervisor.start();
  await vi.waitFor(() => expect(link.port.status()).toBe('online'), PATIENCE);
  return { link, supervisor, ...seen, accepted: () => accepted };
}

test('an agent over standard input and output comes online and sends a picture, after what a shell wrote', async () => {
  const { link, hellos, outcomes } = await startAgent({ before: 'echo Welcome; printf "no end of line"' });
  expect(hellos).toMatchObject([{ platform: 'fake', displays: [{ id: 'fake-1' }], inflight: [] }]);
  link.port.perform({ ...performOf(ACTION_A), actionType: 'TakeScreenshot', parameters: {} });
  await vi.waitFor(() => expect(outcomes).toHaveLength(1), PATIENCE);
  expect(outcomes).toMatchObject([{ ok: true, attachments: [{ announced: { width: 640, height: 400 } }] }]);
});

test('what the agent prints by mistake goes to the log, and the link stays whole', async () => {
  const noise = "setInterval(() => { console.log('by log'); process.stdout.write('by write\\n'); }, 5)";
  const { link, lines, outcomes, violations } = await startAgent({
    options: `--import 'data:text/javascript,${encodeURIComponent(noise).replaceAll("'", '%27')}'`,
  });
  await vi.waitFor(() => expect(lines).toEqual(expect.arrayContaining(['by log', 'by write'])), PATIENCE);
  link.port.perform(performOf(ACTION_A));
  await vi.waitFor(() => expect(outcomes).toMatchObject([{ ok: true }]), PATIENCE);
  expect(violations).toEqual([]);
});

test('a wish to stop ends it in good order: what runs is handed back first', async () => {
  const { link, supervisor, outcomes, accepted } = await startAgent();
  link.port.perform({ ...performOf(ACTION_A), parameters: { durationMs: 60_000 } });
  await vi.waitFor(() => expect(accepted()).toBe(1), PATIENCE);
  await supervisor.stop();
  expect(outcomes).toMatchObject([{ ok: false, cancelled: true, sideEffect: 'none' }]);
});

test('an agent whose link is cut ends, and another comes', async () => {
  const { link, hellos } = await startAgent();
  const [first] = hellos;
  process.kill(Number(first?.pid), 'SIGKILL');
  await vi.waitFor(() => expect(hellos).toHaveLength(2), PATIENCE);
  expect(hellos[1]?.bootId).not.toBe(first?.bootId);
  expect(link.port.status()).toBe('online');
});

test('N55: an agent that runs without leave is ended, and the reason told', async () => {
  const log = () => undefined;
  const running = runStdioAgent({
    environment: { PATH: process.env.PATH },
    platform: 'darwin',
    log: { info: log, warn: log, error: log },
    stopped: new AbortController().signal,
    expectLeave: () => Promise.reject(new Error('a person is here')),
  });
  await expect(running).rejects.toThrow('a person is here');
});

test('N55: an agent ends with the process that watches whether it may act', () => {
  const watcher = new EventEmitter();
  const { parent } = openStdioChannel({
    input: new PassThrough(),
    output: new PassThrough(),
    watcher: watcher as never,
  });
  const gone = vi.fn();
  parent.listen({ message: () => undefined, gone });
  expect(gone).not.toHaveBeenCalled();
  watcher.emit('disconnect');
  expect(gone).toHaveBeenCalledOnce();
});
