import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AgentProcessEvents, createAgentSupervisor } from '../../src/agent-host/supervisor.ts';
import type { ParentMessage } from '../../src/contract/link.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the supervisor of the agent', () => {
  test('starts the agent and hands it the address and a token over the channel', () => {
    const rig = createRig();
    rig.supervisor.start();
    expect(rig.link).toEqual(['started', 'token 1']);
    expect(rig.sent()).toEqual([{ type: 'connect', url: 'ws://daemon', token: 'token 1' }]);
  });

  test('a second start changes nothing', () => {
    const rig = createRig();
    rig.supervisor.start();
    rig.supervisor.start();
    expect(rig.children).toHaveLength(1);
  });

  test('a live agent that lost its link gets a fresh token over the channel', () => {
    const rig = createRig();
    rig.supervisor.start();
    rig.child().events.message({ type: 'token_wanted' });
    expect(rig.sent().at(-1)).toEqual({ type: 'connect', url: 'ws://daemon', token: 'token 2' });
  });

  test.each([{ type: 'approve' }, 'token_wanted', null, { type: 'token_wanted', extra: 1 }])(
    'the message %j over the channel does nothing',
    (message) => {
      const rig = createRig();
      rig.supervisor.start();
      rig.child().events.message(message);
      expect(rig.sent()).toHaveLength(1);
    },
  );

  test('rule 7: pauses between starts lie anywhere below a ceiling that doubles from 250 ms', async () => {
    const rig = createRig({ random: () => 0.999 });
    rig.supervisor.start();
    const pausesMs: number[] = [];
    for (let start = 1; start < 5; start += 1) {
      rig.crash();
      const endedAtMs = performance.now();
      await vi.advanceTimersToNextTimerAsync();
      pausesMs.push(Math.round(performance.now() - endedAtMs));
    }
    expect(pausesMs).toEqual([250, 500, 999, 1_998]);
    expect(rig.children).toHaveLength(5);
  });

  test('rule 7: a restart never waits longer than ten seconds', async () => {
    const rig = createRig({ random: () => 1, limits: { starts: 100 } });
    rig.supervisor.start();
    for (let start = 1; start < 12; start += 1) {
      rig.crash();
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(rig.children).toHaveLength(12);
  });

  test('rule 7: after five starts in ten minutes the agent stays offline, and the log says so', async () => {
    const rig = createRig();
    rig.supervisor.start();
    for (let start = 1; start <= 5; start += 1) {
      rig.crash();
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
    }
    await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect(rig.children).toHaveLength(5);
    expect(rig.link.at(-1)).toBe('gone for good');
    expect(rig.logged.at(-1)).toBe(
      'error: the agent was started 5 times in 10 minutes and is not restarted; start it again at the dashboard',
    );
  });

  test('rule 7: starts longer ago than ten minutes do not count', async () => {
    const rig = createRig();
    rig.supervisor.start();
    for (let start = 1; start <= 20; start += 1) {
      await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
      rig.crash();
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(rig.children).toHaveLength(21);
  });

  test('a start for which the system has no process is tried again every two seconds, is said once and does not count', async () => {
    const rig = createRig();
    rig.supervisor.start();
    for (let start = 1; start <= 20; start += 1) {
      rig.child().events.ended({ exitCode: null, reason: 'spawn EMFILE', isShortage: true });
      expect([rig.supervisor.isShort(), rig.link.at(-1)]).toEqual([true, 'gone']);
      await vi.advanceTimersByTimeAsync(1_999);
      expect(rig.children).toHaveLength(start);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(rig.children).toHaveLength(21);
    expect(rig.supervisor.isShort()).toBe(false);
    expect(rig.logged).toEqual([
      'error: the system has no process, open file or memory left to start the agent; it is tried again every two seconds',
    ]);
  });

  test('a person can start an agent that stays offline, and the count begins anew', async () => {
    const rig = createRig();
    rig.supervisor.start();
    for (let start = 1; start <= 5; start += 1) {
      rig.crash();
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
    }
    rig.supervisor.restart();
    expect(rig.children).toHaveLength(6);
    rig.crash();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(rig.children).toHaveLength(7);
  });

  test('a person can restart an agent that runs, or that waits for its next start', async () => {
    const rig = createRig({ random: () => 1 });
    rig.supervisor.start();
    rig.supervisor.restart();
    expect(rig.child().signals).toEqual(['SIGKILL']);
    rig.crash();
    rig.supervisor.restart();
    expect(rig.children).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rig.children).toHaveLength(2);
  });

  test('rule 7: an agent the daemon refused is not started again', async () => {
    const rig = createRig();
    rig.supervisor.start();
    rig.crash(78);
    await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect(rig.children).toHaveLength(1);
    expect(rig.link.at(-1)).toBe('gone for good');
    expect(rig.logged.at(-1)).toBe(
      'error: the agent was refused and is not restarted; start it again at the dashboard',
    );
  });

  test.each([
    [true, 2],
    [false, 1],
  ])('an abandoned agent is killed; with retry %j there have been %i', async (retry, children) => {
    const rig = createRig();
    rig.supervisor.start();
    rig.supervisor.replace({ retry });
    expect(rig.child().signals).toEqual(['SIGKILL']);
    rig.crash(null);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rig.children).toHaveLength(children);
  });

  test('stopping asks first, then insists, then ends it, and resolves when it is gone', async () => {
    const rig = createRig();
    rig.supervisor.start();
    let isStopped = false;
    const stopping = rig.supervisor.stop().then(() => {
      isStopped = true;
    });
    expect(rig.sent().at(-1)).toEqual({ type: 'stop' });
    await vi.advanceTimersByTimeAsync(3_499);
    expect(rig.child().signals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(rig.child().signals).toEqual(['SIGTERM']);
    await vi.advanceTimersByTimeAsync(999);
    expect(rig.child().signals).toEqual(['SIGTERM']);
    await vi.advanceTimersByTimeAsync(1);
    expect(rig.child().signals).toEqual(['SIGTERM', 'SIGKILL']);
    expect(isStopped).toBe(false);
    rig.crash(null);
    await stopping;
    expect(rig.link.at(-1)).toBe('gone for good');
  });

  test('an agent that stops when asked hears no signal', async () => {
    const rig = createRig();
    rig.supervisor.start();
    const stopping = rig.supervisor.stop();
    rig.crash(0);
    await stopping;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rig.child().signals).toEqual([]);
  });

  test('after the stop nothing starts it again', async () => {
    const rig = createRig();
    rig.supervisor.start();
    rig.crash();
    await rig.supervisor.stop();
    rig.supervisor.restart();
    rig.supervisor.start();
    await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect(rig.children).toHaveLength(1);
  });

  test('stopping twice waits twice for the same end', async () => {
    const rig = createRig();
    rig.supervisor.start();
    const both = Promise.all([rig.supervisor.stop(), rig.supervisor.stop()]);
    rig.crash(0);
    await both;
    expect(rig.sent()).toHaveLength(2);
  });

  test('what the agent writes reaches the log, cut to a bearable length', () => {
    const rig = createRig();
    rig.supervisor.start();
    rig.child().events.line('x'.repeat(10_000));
    expect(rig.logged).toEqual([`info: ${'x'.repeat(4_000)}`]);
  });

  test('no token is in the log', async () => {
    const rig = createRig();
    rig.supervisor.start();
    rig.child().events.message({ type: 'token_wanted' });
    rig.crash();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rig.logged.join()).not.toContain('token ');
  });
});

type FakeChild = { events: AgentProcessEvents; sent: ParentMessage[]; signals: string[] };

function createRig({ random = () => 0, limits = {} }: { random?: () => number; limits?: { starts?: number } } = {}) {
  const children: FakeChild[] = [];
  const link: string[] = [];
  const logged: string[] = [];
  let tokens = 0;
  const log = (level: string) => (_fields: object, message: string) => logged.push(`${level}: ${message}`);
  const supervisor = createAgentSupervisor({
    spawn(events) {
      const child: FakeChild = { events, sent: [], signals: [] };
      children.push(child);
      return { send: (message) => child.sent.push(message), kill: (signal) => child.signals.push(signal) };
    },
    url: () => 'ws://daemon',
    link: {
      issueToken() {
        tokens += 1;
        link.push(`token ${tokens}`);
        return `token ${tokens}`;
      },
      started: () => link.push('started'),
      gone: ({ restarts }) => link.push(restarts ? 'gone' : 'gone for good'),
    },
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    random,
    limits,
  });
  const child = () => {
    const latest = children.at(-1);
    if (latest === undefined) throw new Error('no child was started');
    return latest;
  };
  return {
    supervisor,
    children,
    link,
    logged,
    child,
    sent: () => child().sent,
    crash: (exitCode: number | null = 1) => child().events.ended({ exitCode, reason: 'test' }),
  };
}
