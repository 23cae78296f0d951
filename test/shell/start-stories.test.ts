import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Health } from '../../src/contract/health.ts';
import type { PermissionStep } from '../../src/contract/shell.ts';
import { portOf } from '../../src/http/guarded-server.ts';
import { until } from '../desktop/processes.ts';
import { startDaemonInProcess } from './daemon-in-process.ts';
import { begin, type Story, type StoryOptions, whenReady } from './story.ts';

const stories: Story[] = [];
const folders: string[] = [];

async function start(options: StoryOptions = {}): Promise<Story> {
  const story = await begin(options);
  stories.push(story);
  return story;
}

function folderOfStory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-story-'));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const story of stories.splice(0)) await story.end();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('the first run, without permissions', () => {
  test('leads the person to them, sees at once when they are given, and then works', async () => {
    const off = { screenRecording: false, accessibility: false };
    const story = await whenReady(
      await start({ permissions: { screenRecording: 'denied', accessibility: 'denied' }, switchedOn: off }),
    );
    await until('the permissions are shown', () => story.dashboard()?.url.endsWith('/#/devices'));
    expect(story.tray.shown.image).toBe('/app/tray/troubleTemplate.png');
    expect((await story.permissionSteps()).map(({ permission, state }) => [permission, state])).toEqual([
      ['screenRecording', 'missing'],
      ['accessibility', 'missing'],
      ['automation', 'on_demand'],
      ['filesAndFolders', 'on_demand'],
    ]);
    expect([story.prompted, story.captureAttempts()]).toEqual([[], 0]);

    await story.shellCall(story.dashboard(), 'openPane', { permission: 'screenRecording' });
    await story.shellCall(story.dashboard(), 'openPane', { permission: 'accessibility' });
    await story.shellCall(story.dashboard(), 'openPane', { permission: 'automation' });
    const panes = ['Privacy_ScreenCapture', 'Privacy_Accessibility', 'Privacy_Automation'];
    expect(story.opened.map((url) => url.split('?')[1])).toEqual(panes);
    expect([story.prompted, story.captureAttempts()]).toEqual([['accessibility'], 1]);

    story.setPermissions({});
    await until('both are granted', async () => areGranted(await story.permissionSteps()));
    await until('the icon says so', () => story.tray.shown.image === '/app/tray/idleTemplate.png');
    const { actionId } = await story.submit({ actionType: 'DescribeScreen', parameters: {} });
    expect(await story.ended(actionId)).toMatchObject({ status: 'success' });
  });

  test('at login opens no window by itself', async () => {
    const story = await start({ wasOpenedAtLogin: true });
    expect(story.windows).toEqual([]);
    story.tray.choose('Dashboard');
    expect(story.dashboard()?.isVisible()).toBe(true);
    await whenReady(story);
  });
});

describe('an update that loses a grant', () => {
  test('is told as that, with the command that makes macOS forget the grant of the version before', async () => {
    const folder = folderOfStory();
    const before = await whenReady(await start({ folder, version: '1.0.0' }));
    await until('both are granted', async () => areGranted(await before.permissionSteps()));
    await before.end();

    const after = await whenReady(
      await start({ folder, version: '1.1.0', permissions: { screenRecording: 'denied' } }),
    );
    await until('the permissions are shown', () => after.dashboard()?.url.endsWith('/#/devices'));
    const [screen, accessibility] = await after.permissionSteps();
    expect(screen).toMatchObject({ state: 'stale', command: 'tccutil reset ScreenCapture dev.handrail.test' });
    expect(screen?.todo).toContain('macOS gave this to Handrail 1.0.0');
    expect(accessibility).toMatchObject({ state: 'granted' });

    await after.shellCall(after.dashboard(), 'relaunch');
    expect(await after.app.exited).toBe(0);
    expect([after.relaunches(), after.app.calls.includes('relaunch')]).toEqual([1, false]);
  });
});

function areGranted(steps: readonly PermissionStep[]): boolean {
  return steps.every(({ state }) => state === 'granted' || state === 'on_demand');
}

test('a program that is in no app is started again by electron', async () => {
  const story = await whenReady(await start({ isInAnApp: false }));
  await story.shellCall(story.dashboard(), 'relaunch');
  expect([await story.app.exited, story.app.calls.includes('relaunch')]).toEqual([0, true]);
});

describe('a second start', () => {
  test('hands over what was wanted and ends, with no daemon of its own', async () => {
    const second = await start({ isLockTaken: true, words: ['handrail', 'handrail://review'] });
    expect([second.outcome, second.app.handedOver(), second.app.exitCode(), second.utility.forked]).toEqual([
      'handed over',
      { ask: 'review' },
      0,
      [],
    ]);
  });

  test.each<[string, string[], 'panel' | 'dashboard']>([
    ['with a deep link brings the prompt forward', ['handrail://review'], 'panel'],
    ['without one brings the dashboard forward', [], 'dashboard'],
  ])('%s', async (_what, words, window) => {
    const first = await whenReady(await opened(await start({ wasOpenedAtLogin: true })));
    const second = await start({ isLockTaken: true, words });
    first.app.secondStart(second.app.handedOver());
    expect(first[window]()?.calls.slice(-2)).toEqual(['show', 'focus']);
  });

  test('with a link that would approve brings nothing forward and is counted', async () => {
    const first = await whenReady(await start());
    const windows = first.windows.length;
    const second = await start({ isLockTaken: true, words: ['handrail://approve/cnf_1'] });
    first.app.secondStart(second.app.handedOver());
    expect(first.windows).toHaveLength(windows);
    await until('it is counted', async () => {
      const list = await first.call<{ items: { breakdown?: { held?: Record<string, number> } }[] }>(
        '/api/guardian/metrics?type=control_violations',
        {},
      );
      return Object.values(list.items[0]?.breakdown?.held ?? {}).reduce((sum, count) => sum + count, 0) === 1;
    });
  });
});

/** Lets the person open the dashboard of an app that opened none. */
async function opened(story: Story): Promise<Story> {
  story.tray.choose('Dashboard');
  return story;
}

describe('what the app needs is taken', () => {
  test('a port that a stranger has is named, and nothing of the stranger is opened', async () => {
    const stranger = createServer((_request, response) => response.end('{"status":"ok"}'));
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const story = await start({ port: portOf(stranger) });
    expect([story.outcome, story.app.exitCode(), story.opened, story.utility.forked]).toEqual(['failed', 1, [], []]);
    expect(story.app.calls.slice(-2)).toEqual(['focus by force', 'exit 1']);
    expect(story.dialogs.shown).toMatchObject([
      { message: `Another program uses port ${portOf(stranger)}`, buttons: ['Quit'] },
    ]);
    stranger.close();
  });

  test('by our own daemon in a terminal: its dashboard is offered and opened', async () => {
    const terminal = await startDaemonInProcess();
    const story = await start({ port: terminal.daemon.port });
    expect(story.dialogs.shown).toMatchObject([
      { message: 'Handrail is running already, in a terminal', buttons: ['Open its dashboard', 'Quit'] },
    ]);
    expect([story.outcome, story.opened, story.app.exitCode()]).toEqual([
      'failed',
      [terminal.daemon.dashboardAddress],
      1,
    ]);
    await terminal.end();
  });

  test('a data folder that a daemon of ours holds on another port leads to that port, unless the person quits', async () => {
    const holder = await whenReady(await start({ folder: folderOfStory() }));
    const address = `${new URL(String(holder.dashboard()?.url)).origin}/`;
    const story = await start({ folder: holder.folder, port: 1 });
    expect(story.dialogs.shown[0]?.detail).toContain(address);
    expect([story.outcome, story.opened]).toEqual(['failed', [address]]);
  });
});

describe('an agent that crashes five times', () => {
  test('is not started a sixth time: the icon says so, and the person can start it again', async () => {
    const story = await whenReady(await start());
    for (let crash = 0; crash < 5; crash += 1) {
      const { child } = await until(`agent ${crash + 1} is there`, () => story.utility.forked[crash]);
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    await until('the icon says so', () => story.tray.shown.image === '/app/tray/troubleTemplate.png');
    expect(story.tray.labels()[0]).toBe('The agent stopped: no action can run');
    expect(story.utility.forked).toHaveLength(5);
    await story.http('/agent/restart', null);
    await whenReady(story);
    await until('the icon says so', () => story.tray.shown.image === '/app/tray/idleTemplate.png');
  });

  test('and one that cannot be started at all ends the same way', async () => {
    const story = await start({ wasOpenedAtLogin: true });
    story.tray.choose('Dashboard');
    await whenReady(story);
    story.utility.refuse(new Error('no such file'));
    story.utility.forked[0]?.child.kill('SIGKILL');
    await until('the icon says so', () => story.tray.shown.image === '/app/tray/troubleTemplate.png');
    expect(story.logged.filter((line) => line.includes('no such file')).length).toBeGreaterThan(0);
  });
});

describe('quitting', () => {
  test('with an action under way brings it to its end, then the agent, then the store', async () => {
    const folder = folderOfStory();
    const slow = { openApp: { beforeEffect: { delayMs: 60_000 } } };
    const story = await whenReady(await start({ folder, scenario: slow }));
    const { actionId } = await story.submit({ actionType: 'OpenApp', parameters: { appName: 'Notes' } });
    await until('it runs', async () => (await story.action(actionId)).status === 'running');
    const base = new URL(String(story.dashboard()?.url)).origin;

    story.tray.choose('Quit');
    story.app.app.quit();
    expect(story.tray.labels()).toEqual(['Handrail is quitting: it waits for running actions to end']);
    expect(story.power.shutdown()).toBe(true);
    expect(await story.app.exited).toBe(0);
    const { child } = story.utility.forked[0] ?? {};
    expect([child?.exitCode, child?.signalCode]).toEqual([0, null]);
    expect([story.tray.shown.isThere, story.shortcuts.registered.size]).toEqual([false, 0]);
    expect(story.windows.every((window) => window.isDestroyed())).toBe(true);
    await expect(fetch(`${base}/health`)).rejects.toThrow();

    const next = await whenReady(await start({ folder }));
    expect(await next.action(actionId)).toMatchObject({ status: 'cancelled' });
    expect(next.ledger()).toEqual([]);
    const health = await next.call<Health>('/health', {});
    expect(health.status).toBe('ok');
  });
});

describe('the state of the screen', () => {
  test('is asked at the start: while it is locked nothing is taken', async () => {
    const story = await whenReady(await start({ idleState: 'locked' }));
    expect(await story.submit({ actionType: 'DescribeScreen', parameters: {} })).toMatchObject({ code: 'paused' });
    story.power.fire('unlock-screen');
    const { actionId } = await story.submit({ actionType: 'DescribeScreen', parameters: {} });
    expect(await story.ended(actionId)).toMatchObject({ status: 'success' });
  });
});

describe('a screen that somebody else has when the app starts', () => {
  test.each([
    ['because it is locked', { locked: true, otherUser: false }, 'unlock-screen'],
    ['because another user has it', { locked: false, otherUser: true }, 'user-did-become-active'],
  ])(
    '%s, which only macOS tells: nothing is taken until the person is back',
    async (_what, screenAtStart, comeBack) => {
      const story = await whenReady(await start({ screenAtStart }));
      expect(await story.submit({ actionType: 'DescribeScreen', parameters: {} })).toMatchObject({ code: 'paused' });
      story.power.fire(comeBack);
      const { actionId } = await story.submit({ actionType: 'DescribeScreen', parameters: {} });
      expect(await story.ended(actionId)).toMatchObject({ status: 'success' });
    },
  );
});

describe('the stop shortcut', () => {
  test('that another app has taken is told in the menu', async () => {
    const story = await start({ isShortcutTaken: true });
    expect(story.tray.labels()).toContain('Pause everything (its shortcut is taken by another app)');
    await whenReady(story);
  });
});
