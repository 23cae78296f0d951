import { expect, it } from 'vitest';
import { type Rig, startServices } from './rig.ts';

const PERSON = { kind: 'person' } as const;
const MINUTE_MS = 60_000;

it('says that the agent is offline, since it went, until it is back', () => {
  const rig = watching();
  expect(warnings(rig)).toEqual([]);
  rig.agent.become('offline');
  rig.clock.advance(MINUTE_MS);
  const sinceMs = rig.clock.nowMs();
  rig.clock.advance(3 * MINUTE_MS);
  expect(warnings(rig)).toEqual([
    {
      metricType: null,
      status: 'bad',
      message:
        'The agent stopped and could not restart, so no action can run. Press "Start the agent again" at the dashboard. The log of Handrail says why the agent stopped.',
      since: new Date(sinceMs).toISOString(),
    },
  ]);
  rig.agent.become('online');
  expect(warnings(rig)).toEqual([]);
});

it('says nothing of an agent that is being started', () => {
  const rig = watching();
  rig.agent.become('starting');
  rig.clock.advance(MINUTE_MS);
  expect(warnings(rig)).toEqual([]);
});

it('says that everything is paused, since then, until the person resumes', () => {
  const rig = watching();
  const pausedAt = new Date(rig.clock.nowMs()).toISOString();
  rig.services.console.pause();
  rig.clock.advance(3 * MINUTE_MS);
  expect(warnings(rig)).toEqual([
    {
      metricType: null,
      status: 'bad',
      message: 'Everything is paused: nothing runs, and nothing new is accepted. Resume at the dashboard to go on.',
      since: pausedAt,
    },
  ]);
  rig.services.console.resume();
  expect(warnings(rig)).toEqual([]);
});

it('says which permission the person has to grant', () => {
  const rig = watching();
  rig.agent.report({ screenRecording: 'denied', accessibility: 'granted' });
  expect(warnings(rig).map(({ status, message }) => [status, message])).toEqual([
    ['bad', 'The permission for screen recording is missing: grant it in the system settings.'],
  ]);
  rig.agent.report({ screenRecording: 'granted' });
  expect(warnings(rig)).toEqual([]);
});

it('says of fifty paused requesters that they are, and of no more', () => {
  const rig = watching();
  const told = (paused: number) => {
    rig.services.devices.register(`user${paused}`, { type: 'linux', name: 'Desk', capabilities: {} });
    rig.services.console.requesters.pause(`user${paused}`);
    return warnings(rig).length;
  };
  expect(Array.from({ length: 51 }, (_, index) => told(index + 1)).slice(48)).toEqual([49, 50, 50]);
});

it('says whose requests are paused, since then, under the name its reader knows, however many have come since', () => {
  const rig = watching();
  const pausedAt = new Date(rig.clock.nowMs()).toISOString();
  rig.services.console.requesters.pause('ann');
  for (let count = 0; count < 60; count += 1) {
    rig.clock.advance(1_000);
    rig.services.devices.register(`user${count}`, { type: 'linux', name: 'Desk', capabilities: {} });
  }
  const said = ' are paused: look at its requests, then resume it or leave it paused.';
  expect(warnings(rig)).toEqual([
    { metricType: null, status: 'bad', message: `Requests of ann${said}`, since: pausedAt },
  ]);
  const [toOthers] = rig.services.guardian.dashboard({ kind: 'nobody' }, { lengthMs: 3_600_000 }).warnings;
  expect(toOthers?.message).toMatch(/^Requests of user-[0-9a-f]{4} are paused/);
  expect(toOthers?.since).toBe(pausedAt);
  rig.services.console.requesters.resume('ann');
  expect(warnings(rig)).toEqual([]);
});

it.each([50, 51])('says at most of 50 requesters that they are paused, of %d', (count) => {
  const rig = watching();
  for (let user = 0; user < count; user += 1) {
    rig.services.devices.register(`user${user}`, { type: 'linux', name: 'Desk', capabilities: {} });
    rig.services.console.requesters.pause(`user${user}`);
  }
  expect(warnings(rig)).toHaveLength(50);
});

it('says since when a metric is beyond green, for each length of window by itself', () => {
  const rig = watching();
  failControl(rig);
  rig.clock.advance(1);
  const [before] = warnings(rig);
  expect(before).toMatchObject({ metricType: 'control_violations', status: 'bad' });
  rig.clock.advance(10 * MINUTE_MS);
  expect(warnings(rig, 5 * MINUTE_MS)).toEqual([]);
  expect(warnings(rig)).toEqual([before]);
});

it('says since when a metric is beyond green where nobody had looked, while the daemon was up', () => {
  const rig = watching();
  rig.clock.advance(10 * MINUTE_MS);
  failControl(rig);
  rig.clock.advance(MINUTE_MS);
  const since = new Date(rig.clock.nowMs()).toISOString();
  rig.clock.advance(3 * 60 * MINUTE_MS);
  expect(warnings(rig)).toMatchObject([{ metricType: 'control_violations', since }]);
});

it('says of a window that is over that a metric was beyond green no later than at its end, and forgets nothing of now', () => {
  const rig = watching();
  const startMs = rig.clock.nowMs();
  failControl(rig);
  rig.clock.advance(30 * MINUTE_MS);
  const [now] = warnings(rig);
  rig.clock.advance(10 * 60 * MINUTE_MS);
  const past = (fromMs: number) => {
    const request = { fromMs, toMs: fromMs + 24 * 60 * MINUTE_MS };
    return rig.services.guardian.dashboard(PERSON, request).warnings;
  };
  const endMs = startMs + 10 * MINUTE_MS;
  const over = rig.services.guardian.dashboard(PERSON, { fromMs: startMs, toMs: endMs });
  expect(over.warnings).toEqual([{ ...now, since: over.window.to }]);
  expect(past(startMs - 23 * 60 * MINUTE_MS)).toEqual([now]);
  expect(past(startMs - 30 * 60 * MINUTE_MS)).toEqual([]);
  expect(warnings(rig)).toEqual([now]);
});

function watching(): Rig {
  const rig = startServices();
  rig.services.watch();
  rig.agent.become('online');
  return rig;
}

/** Stores that a check of the journal failed. */
function failControl({ store, clock }: Rig): void {
  store.write('relaxed', () =>
    store.journal.append(clock.nowMs(), { kind: 'journal.broken', metadata: { reason: null } }),
  );
}

function warnings(rig: Rig, lengthMs = 86_400_000) {
  return rig.services.guardian.dashboard(PERSON, { lengthMs }).warnings;
}
