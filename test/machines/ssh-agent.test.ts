import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSshAgent } from '../../src/agent-host/ssh-agent.ts';
import { noteForAccount } from '../../src/own-daemon/account-note.ts';
import { accountFolderOf } from '../../src/own-daemon/settings.ts';
import { pretendedDaemon } from '../cli/pretended-daemon.ts';
import { heldDown } from '../desktop/held.ts';
import { until } from '../desktop/processes.ts';
import { machineHas } from '../runner/machine-needs.ts';
import { skipAllWithout } from '../runner/skip-without.ts';
import { type Line, openLine } from './line.ts';
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
    const shell = `cat > ${file}`;
    second.launch('xterm', ['-T', 'the second desktop', '-geometry', '80x20+300+200', '-e', shell]);
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
    const line = lineTo(second);
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
    onTestFinished(noteThere(daemon));
    const line = lineTo(second);
    lines.push(line);
    await until('the reason is known', () => line.reasons.length > 0);
    expect(line.reasons[0]).toMatch(/^machine_has_a_person: /);
    expect(line.hellos).toEqual([]);
    daemon.says({ acceptsOtherDaemons: true });
    await line.online();
  });

  test('N55: where a person comes while the agent there acts, it lets go and ends, and comes back when they allow it', async () => {
    const line = await connected();
    const held = await holdKey(line);
    const daemon = await pretendedDaemon({});
    onTestFinished(daemon.end);
    onTestFinished(noteThere(daemon));
    expect(await held.outcome).toMatchObject({ ok: false });
    await until('the reason is known', () => line.reasons.length > 0);
    expect(line.reasons[0]).toMatch(/^machine_has_a_person: /);
    expect([await keysDown(), second.agents()]).toEqual([[], []]);
    daemon.says({ acceptsOtherDaemons: true });
    await line.online(2);
    daemon.says({ acceptsOtherDaemons: false });
    await until('the agent there has ended', () => line.reasons.length > 1 && second.agents().length === 0);
    expect(line.reasons.at(-1)).toMatch(/^machine_has_a_person: /);
  });

  test('N55: an agent that stands still is ended there, no key stays down, and another comes', async () => {
    const line = await connected();
    await holdKey(line);
    const frozen = second.agents();
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    await until('it has ended', () => !second.agents().some((pid) => frozen.includes(pid)), 40_000);
    await until('no key is down', async () => (await keysDown()).length === 0);
    await line.online(2);
  }, 90_000);

  test('N55: an agent that nobody watches any longer ends', async () => {
    const line = await connected();
    await holdKey(line);
    for (const pid of second.watchers()) process.kill(pid, 'SIGKILL');
    await line.online(2);
    await until('no key is down', async () => (await keysDown()).length === 0);
    expect(second.agents()).toHaveLength(1);
  });

  const noteThere = ({ port }: { port: number }) => {
    const folder = accountFolderOf(second.home);
    const forget = noteForAccount(folder, '/wherever', { port, instanceId: 'one' });
    execFileSync('chown', ['-R', String(second.uid), join(second.home, '.local')]);
    return forget;
  };

  test('a command that is not there, one that writes the words of ssh, and a key that does not fit, are told in words', async () => {
    const liar = join(second.home, '../liar');
    const words = 'Host key for second has changed and you have requested strict checking.';
    writeFileSync(liar, `#!/bin/sh\necho '${words}' >&2\nexit 255\n`, { mode: 0o755 });
    for (const [changed, reason] of [
      [{ agentCommand: '/nowhere/handrail' }, /^`\/nowhere\/handrail` was not found there/],
      [{ agentCommand: liar }, /^ssh ended: “Host key for second has changed/],
      [{ address: 'nobody@second' }, /^ssh was not let in without a password/],
    ] as const) {
      const line = lineTo(second, changed);
      lines.push(line);
      await until('the reason is known', () => line.reasons.length > 0);
      expect(line.reasons[0]).toMatch(reason);
    }
  });

  test('a host that nobody has seen, and one whose key changed, get nothing', async () => {
    const known = join(second.home, '../known_hosts');
    renameSync(known, `${known}.aside`);
    const unknown = lineTo(second);
    lines.push(unknown);
    await until('the reason is known', () => unknown.reasons.length > 0);
    expect(unknown.reasons[0]).toBe(
      'its host key is not known yet; run `ssh second` once by hand, and compare the key',
    );
    await unknown.close();
    renameSync(`${known}.aside`, known);
    await second.changeHostKey();
    const changed = lineTo(second);
    lines.push(changed);
    await until('the reason is known', () => changed.reasons.length > 0);
    expect(changed.reasons[0]).toMatch(/^the host key changed: .*`ssh-keygen -R second`/);
    expect(second.agents()).toEqual([]);
  });
});

function lineTo(second: SecondMachine, changed: object = {}): Line {
  const { environment, sshArguments } = second;
  return openLine({
    spawn: ({ attach, ...observe }) =>
      createSshAgent({ machine: { ...second.machine, ...changed }, environment, sshArguments, attach, observe }),
  });
}
