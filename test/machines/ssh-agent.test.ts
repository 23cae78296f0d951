import { chownSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type AgentLink, createAgentLink } from '../../src/agent-host/link/agent-link.ts';
import { createSshAgent, MACHINE_LIMITS } from '../../src/agent-host/ssh-agent.ts';
import { createAgentSupervisor } from '../../src/agent-host/supervisor.ts';
import { type HelloParams, type PerformParams, RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { StreamTransport } from '../../src/contract/stream-transport.ts';
import type { TargetReference } from '../../src/contract/targets.ts';
import type { AttemptOutcome } from '../../src/services/agent/port.ts';
import { noteDaemon } from '../../src/store/database/port-file.ts';
import { performOf } from '../agent-host/link/rig.ts';
import { pretendedDaemon } from '../cli/pretended-daemon.ts';
import { heldDown } from '../desktop/held.ts';
import { until } from '../desktop/processes.ts';
import { machineHas } from '../runner/machine-needs.ts';
import { skipAllWithout } from '../runner/skip-without.ts';
import { type SecondMachine, startSecondMachine } from './sshd.ts';

/** The link to the agent of another account, through a real `sshd`, on a desktop of its own. */
describe('a machine over ssh', () => {
  skipAllWithout('root');
  let second: SecondMachine;
  let file: string;
  const lines: Line[] = [];

  beforeAll(async () => {
    if (!machineHas('root')) return;
    second = await startSecondMachine();
    file = join(second.home, 'typed');
    second.launch('xterm', '-T', 'the second desktop', '-geometry', '80x20+300+200', '-e', `cat > ${file}`);
    await until('the window is there', () =>
      second.ask('xdotool', 'search', '--name', 'the second desktop').catch(() => ''),
    );
    await second.ask('xdotool', 'mousemove', '400', '300', 'click', '1');
  });

  afterEach(async () => {
    for (const line of lines.splice(0)) await line.close();
  });

  afterAll(() => second?.close());

  const connected = async () => {
    const line = connect(second);
    lines.push(line);
    await line.online();
    return line;
  };

  const keysDown = () => heldDown(second.ask);

  /** Has a key held for longer than any of these tests takes. */
  const holdKey = async (line: Line) => {
    const outcome = line.act('PressKeys', { keys: 'a', holdMs: 5_000 }, { kind: 'focus' });
    const early = outcome.then((ended) => Promise.reject(new Error(`the key was not held: ${JSON.stringify(ended)}`)));
    await Promise.race([until('a key is down', async () => (await keysDown()).length > 0), early]);
    early.catch(() => undefined);
    return { outcome };
  };

  test('a click, a text and a picture happen there and nowhere else', async () => {
    const { hellos, transports, perform, act } = await connected();
    expect(hellos[0]).toMatchObject({ platform: 'linux', displays: [{ bounds: { width: 1920, height: 1080 } }] });
    expect(await act('Click', { x: 400, y: 300 }, { kind: 'point', x: 400, y: 300 })).toMatchObject({ ok: true });
    expect(await second.ask('xdotool', 'getmouselocation')).toContain('x:400 y:300');
    expect(await second.ask('xdotool', 'getactivewindow', 'getwindowname')).toBe('the second desktop\n');
    expect(await act('TypeText', { text: 'Size 7' }, { kind: 'focus' })).toMatchObject({ ok: true });
    expect(await act('PressKeys', { keys: 'enter' }, { kind: 'focus' })).toMatchObject({ ok: true });
    await until('the text has arrived', () => readFileSync(file, 'utf8') === 'Size 7\n');
    const picture = await perform('TakeScreenshot', {});
    expect(picture).toMatchObject({
      ok: true,
      attachments: [{ announced: { mediaType: 'image/png', width: 1920, height: 1080 } }],
    });
    expect(transports[0]?.roundTripMs()).toBeUndefined();
    transports[0]?.ping();
    await until('the round trip is known', () => transports[0]?.roundTripMs() !== undefined);
  });

  test.each<[string, (line: Line) => void | Promise<void>]>([
    ['ssh was killed', ({ pids }) => void process.kill(Number(pids.at(-1)), 'SIGKILL')],
    ['the agent there was killed', () => second.agents().forEach((pid) => void process.kill(pid, 'SIGKILL'))],
    ['the daemon let go of the line', ({ transports }) => transports.at(-1)?.terminate()],
  ])('where %s while a key is down, it comes up, and the machine is online again', async (_name, end) => {
    const line = await connected();
    await holdKey(line);
    await end(line);
    await line.online(2);
    expect(line.losses()).toBe(1);
    await until('the agent that was is gone', () => second.agents().length === 1);
    await until('no key is down', async () => (await keysDown()).length === 0);
  });

  test('where ssh stands still, the agent there lets go within its two seconds, and a killed line is replaced', async () => {
    const line = await connected();
    const held = await holdKey(line);
    const ssh = Number(line.pids.at(-1));
    process.kill(ssh, 'SIGSTOP');
    await until('no key is down', async () => (await keysDown()).length === 0);
    process.kill(ssh, 'SIGCONT');
    // The agent there stopped it, so it did not end by itself.
    expect(await held.outcome).toMatchObject({ ok: false, code: 'internal_error' });
    process.kill(ssh, 'SIGSTOP');
    process.kill(ssh, 'SIGKILL');
    await line.online(2);
  });

  test('a wish to stop ends the agent there in good order: what runs is handed back first', async () => {
    const line = await connected();
    const held = await holdKey(line);
    await line.supervisor.stop();
    expect(await held.outcome).toMatchObject({ ok: false, cancelled: true });
    await until('no agent is there', () => second.agents().length === 0);
    expect(await keysDown()).toEqual([]);
  });

  test('a machine whose person has not allowed others is left alone', async () => {
    const daemon = await pretendedDaemon({});
    onTestFinished(daemon.end);
    const data = join(second.home, '.local/share/handrail');
    mkdirSync(data, { recursive: true });
    noteDaemon(data, { port: daemon.port });
    chownSync(join(data, 'port'), second.uid, second.uid);
    const line = connect(second);
    lines.push(line);
    await until('the reason is known', () => line.reasons.length > 0);
    expect(line.reasons[0]).toMatch(/^machine_has_a_person: /);
    expect(line.hellos).toEqual([]);
    daemon.says({ acceptsOtherDaemons: true });
    await line.online();
  });

  test('a command that is not there, and a key that does not fit, are told in words', async () => {
    for (const [changed, reason] of [
      [{ agentCommand: '/nowhere/handrail' }, /^`\/nowhere\/handrail` was not found there/],
      [{ address: 'nobody@second' }, /^ssh was not let in without a password/],
    ] as const) {
      const line = connect(second, changed);
      lines.push(line);
      await until('the reason is known', () => line.reasons.length > 0);
      expect(line.reasons[0]).toMatch(reason);
    }
  });

  test('a host that nobody has seen, and one whose key changed, get nothing', async () => {
    const known = join(second.home, '../known_hosts');
    renameSync(known, `${known}.aside`);
    const unknown = connect(second);
    lines.push(unknown);
    await until('the reason is known', () => unknown.reasons.length > 0);
    expect(unknown.reasons[0]).toBe(
      'its host key is not known yet; run `ssh second` once by hand, and compare the key',
    );
    await unknown.close();
    renameSync(`${known}.aside`, known);
    await second.changeHostKey();
    const changed = connect(second);
    lines.push(changed);
    await until('the reason is known', () => changed.reasons.length > 0);
    expect(changed.reasons[0]).toMatch(/^the host key changed: .*`ssh-keygen -R second`/);
    expect(second.agents()).toEqual([]);
  });
});

type Line = {
  link: AgentLink;
  supervisor: ReturnType<typeof createAgentSupervisor>;
  hellos: HelloParams[];
  transports: StreamTransport[];
  /** The process ids of `ssh`. */
  pids: number[];
  reasons: string[];
  losses(): number;
  online(times?: number): Promise<unknown>;
  perform(actionType: string, parameters: object): Promise<AttemptOutcome | 'lost'>;
  /** Has the target looked up first, as the daemon does. */
  act(actionType: string, parameters: object, reference: TargetReference): Promise<AttemptOutcome | 'lost'>;
  close(): Promise<void>;
};

function connect(second: SecondMachine, changed: object = {}): Line {
  const seen = { hellos: [], transports: [], pids: [], reasons: [] } as Pick<
    Line,
    'hellos' | 'transports' | 'pids' | 'reasons'
  >;
  const waiting = new Map<string, (outcome: AttemptOutcome | 'lost') => void>();
  let losses = 0;
  const link = createAgentLink({ abandon: (next) => supervisor.replace(next) });
  link.listen({
    online(hello) {
      seen.hellos.push(hello);
      return [];
    },
    accepted: () => undefined,
    finished: ({ actionId }, outcome) => waiting.get(actionId)?.(outcome),
    lost() {
      losses += 1;
      for (const resolve of waiting.values()) resolve('lost');
    },
    statusChanged: () => undefined,
    violated: ({ kind, detail }) => seen.reasons.push(`${kind}: ${detail}`),
  });
  const quiet = () => undefined;
  const supervisor = createAgentSupervisor({
    spawn: createSshAgent({
      machine: { ...second.machine, ...changed },
      environment: second.environment,
      sshArguments: second.sshArguments,
      attach(transport) {
        seen.transports.push(transport);
        link.door.attach(transport);
      },
      observe: { started: (pid) => void seen.pids.push(pid), ended: (reason) => void seen.reasons.push(reason) },
    }),
    url: () => '',
    link: link.process,
    log: { info: quiet, warn: quiet, error: quiet },
    limits: { ...MACHINE_LIMITS, backoffMs: 100 },
  });
  supervisor.start();
  let count = 0;
  const perform = (actionType: string, parameters: object, rest: Partial<PerformParams> = {}) => {
    count += 1;
    const actionId = `act_01ARZ3NDEKTSV4RRFFQ69G5F${String(count).padStart(2, '0')}`;
    link.port.perform({ ...performOf(actionId), actionType, parameters: { ...parameters }, ...rest });
    return new Promise<AttemptOutcome | 'lost'>((resolve) => waiting.set(actionId, resolve));
  };
  return {
    link,
    supervisor,
    ...seen,
    losses: () => losses,
    online: (times = 1) =>
      until(
        `the machine is online (${seen.reasons.join('; ')})`,
        () => seen.hellos.length >= times && link.port.agent(),
      ),
    perform,
    async act(actionType, parameters, reference) {
      const found = await perform(RESOLVE_TARGETS, { references: [reference] });
      if (found === 'lost' || !found.ok) throw new Error(`the target was not found: ${JSON.stringify(found)}`);
      return perform(actionType, parameters, { effectClass: 'once', targets: Object(found.data).targets });
    },
    async close() {
      await supervisor.stop();
      link.close();
    },
  };
}
