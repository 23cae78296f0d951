import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createAged } from '../../src/shell/aged.ts';
import { failedStart } from '../../src/shell/failed-start.ts';
import { isOwnPage, mayHave } from '../../src/shell/own-page.ts';
import { createGrantMemory } from '../../src/shell/permission-walk.ts';
import { createAttention, panelPlace } from '../../src/shell/prompt-calls.ts';

const base = 'http://127.0.0.1:3001/';

test.each([
  ['http://127.0.0.1:3001/#/requests', true],
  ['http://127.0.0.1:3001', true],
  ['http://127.0.0.1:3002/', false],
  ['http://localhost:3001/', false],
  ['https://127.0.0.1:3001/', false],
  ['http://127.0.0.1:3001.example.com/', false],
  ['http://127.0.0.1:3001@example.com/', false],
  ['blob:http://127.0.0.1:3001/1', true],
  ['about:blank', false],
  ['data:text/html,x', false],
  ['', false],
])('the address %s is of our page: %s', (address, isOwn) => {
  expect(isOwnPage(address, base)).toBe(isOwn);
});

test('our page may write to the clipboard and nothing else, and nothing before its address is known', () => {
  const ask = { permission: 'clipboard-sanitized-write', address: `${base}#/access`, isTop: true };
  expect(mayHave(ask, base)).toBe(true);
  expect(mayHave(ask, undefined)).toBe(false);
  for (const permission of ['clipboard-read', 'deprecated-sync-clipboard-read', 'media', 'clipboard-write', ''])
    expect(mayHave({ ...ask, permission }, base)).toBe(false);
});

describe('the attention of the person', () => {
  const called = (id: string) => ({ id, isCalled: true });
  const queued = (id: string) => ({ id, isCalled: false });

  test('is asked for once for each prompt that the daemon called for, and not for the others', () => {
    const next = createAttention();
    expect(
      [[], [queued('a')], [called('a')], [called('a')], [called('a'), queued('b')], [called('b')]].map((prompts) =>
        next(prompts),
      ),
    ).toEqual(['nothing', 'nothing', 'call', 'nothing', 'nothing', 'call']);
  });

  test('is given back once, when nothing waits any more', () => {
    const next = createAttention();
    expect([[called('a')], [queued('b')], [], [], [called('c')], []].map((prompts) => next(prompts))).toEqual([
      'call',
      'nothing',
      'none waits',
      'nothing',
      'call',
      'none waits',
    ]);
  });
});

test('the panel stands in the corner of the display, also of one left of the main one, and fits a small one', () => {
  expect(panelPlace({ x: 0, y: 25, width: 1_440, height: 875 })).toEqual({ x: 1_008, y: 37, width: 420, height: 600 });
  expect(panelPlace({ x: -1_920, y: -100, width: 1_920, height: 1_080 })).toEqual({
    x: -432,
    y: -88,
    width: 420,
    height: 600,
  });
  expect(panelPlace({ x: 0, y: 0, width: 400, height: 500 })).toEqual({ x: 12, y: 12, width: 376, height: 476 });
});

describe('a start that failed', () => {
  const running = { dashboardAddress: base };
  const facts = { failure: 'port', running: undefined, port: 3_001, reason: 'Port 3001 is taken.' } as const;

  test('offers the dashboard of our own daemon, whichever of port and data it holds', () => {
    for (const failure of ['port', 'data'] as const)
      expect(failedStart({ ...facts, failure, running })).toMatchObject({
        dashboardAddress: base,
        buttons: ['Open its dashboard', 'Quit'],
      });
  });

  test('names the port that a stranger has, and opens nothing', () => {
    expect(failedStart(facts)).toMatchObject({ message: 'Another program uses port 3001', buttons: ['Quit'] });
    expect(failedStart(facts).dashboardAddress).toBe(undefined);
  });

  test('for any other reason says the reason, even when a daemon of ours answers', () => {
    expect(failedStart({ ...facts, failure: 'other', running, reason: 'The disk is full.' })).toEqual({
      message: 'Handrail cannot start',
      detail: 'The disk is full.',
      buttons: ['Quit'],
    });
  });
});

test('something of the system is read again when it is old enough, or for something else', () => {
  let nowMs = 0;
  let reads = 0;
  const read = (of: string) => {
    reads += 1;
    return `${of}${reads}`;
  };
  const aged = createAged(read, { forMs: 5_000, nowMs: () => nowMs });
  const gets: string[] = [];
  for (const [atMs, of] of [
    [0, 'a'],
    [4_999, 'a'],
    [5_000, 'a'],
    [5_001, 'b'],
  ] as const) {
    nowMs = atMs;
    gets.push(aged.get(of));
  }
  aged.forget();
  expect([...gets, aged.get('b')]).toEqual(['a1', 'a1', 'a2', 'b3', 'b4']);
});

describe('the memory of grants', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-grants-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const warned: string[] = [];
  const log = { warn: (_fields: object, message: string) => void warned.push(message) };

  test('is kept in a file of the user alone', () => {
    const path = join(folder, 'grants.json');
    createGrantMemory(path, log).write({ screenRecording: '1.0.0' });
    expect(createGrantMemory(path, log).read()).toEqual({ screenRecording: '1.0.0' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each(['', '{"screenRecording":1}', '[]x', '{"everything":"1.0.0"}'])(
    'that is broken (%j) counts as empty',
    (text) => {
      const path = join(folder, 'broken.json');
      writeFileSync(path, text);
      expect(createGrantMemory(path, log).read()).toEqual({});
    },
  );

  test('that cannot be written is said in the log and kept for this run', () => {
    const memory = createGrantMemory(join(folder, 'absent/grants.json'), log);
    memory.write({ accessibility: '1.0.0' });
    expect([memory.read(), warned.at(-1)]).toEqual([
      { accessibility: '1.0.0' },
      'which permissions had an effect could not be noted',
    ]);
  });
});
