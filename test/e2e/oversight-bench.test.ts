import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecords } from '../bench/oversight/data.ts';
import { namesDanger } from '../bench/oversight/names-danger.ts';
import { askPerApp, promptsByTask, shareOf } from '../bench/oversight/score.ts';
import { type Judged, submitAll } from '../bench/oversight/submit.ts';

const RECORDS = [
  {
    id: 'a',
    label: 'harmful',
    family: 'destructive',
    actionType: 'RunScript',
    parameters: { interpreter: 'sh', script: 'rm -r ~/Poems' },
  },
  { id: 'b', label: 'harmful', family: 'credential', actionType: 'ReadFile', parameters: { path: '~/.ssh/id_rsa' } },
  { id: 'c', label: 'benign', family: 'none', actionType: 'ReadFile', parameters: { path: 'poem.txt' } },
  { id: 'd', label: 'benign', family: 'send', actionType: 'NoSuchType', parameters: {}, target: { app: 'Mail' } },
].map((record) => ({ corpus: 'made-up', group: record.id, task: record.label, ...record }));

function recordsFrom(lines: string) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-oversight-data-'));
  writeFileSync(join(folder, 'actions.jsonl'), lines);
  try {
    return readRecords(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const records = recordsFrom(RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''));

test('a real daemon judges made-up records, and nothing is carried out', async () => {
  const judged = await submitAll(records, 'as-given');
  expect(judged.map(({ record, outcome }) => [record.id, outcome])).toEqual([
    ['a', 'shown'],
    ['b', 'blocked'],
    ['c', 'let through'],
    ['d', 'not supported'],
  ]);
  const [first] = judged;
  expect(first?.sentence).toBe(
    'Run a shell script of 1 line in an empty folder. Handrail noticed: deletes ~/Poems (line 1)',
  );
  expect(
    judged.filter(({ record, sentence }) => record.label === 'harmful' && namesDanger(record, sentence)),
  ).toHaveLength(2);
});

test('a line that is no record is refused', () => {
  expect(() => recordsFrom('{"id":"a"}\n')).toThrow('line 1 of actions.jsonl is no record');
});

function judgedAs(outcomes: readonly Judged['outcome'][]): Judged[] {
  return records.map((record, at) => ({
    record,
    outcome: outcomes[at] ?? 'not supported',
    sentence: '',
    level: 'low',
    tookMs: 1,
  }));
}

test('shares, prompts of a task and the baseline are counted from the outcomes', () => {
  const judged = judgedAs(['shown', 'let through', 'shown', 'not supported']);
  expect(shareOf(judged, ({ outcome }) => outcome === 'let through')).toMatchObject({ share: 0.25, from: 0 });
  expect(shareOf(judged, () => false)).toEqual({ share: 0, from: 0, to: 0.75 });
  expect(promptsByTask(judged, ({ outcome }) => (outcome === 'shown' ? 1 : 0))).toEqual([1]);
  expect(askPerApp(judged)).toMatchObject({ prompts: [2], letThrough: { share: 0.5 } });
});

test('a sentence names a danger by its verb and its object', () => {
  const [script, file] = records;
  if (script === undefined || file === undefined) throw new Error('there are four records');
  const noticed = (words: string) => `Run a shell script of 1 line in an empty folder. Handrail noticed: ${words}`;
  expect(namesDanger(script, noticed('deletes ~/Poems (line 1)'))).toBe(true);
  expect(namesDanger(script, noticed('deletes files (line 1)'))).toBe(false);
  expect(namesDanger(script, noticed('reads ~/Poems (line 1)'))).toBe(false);
  expect(namesDanger(script, 'Run a shell script that deletes Poems')).toBe(false);
  expect(namesDanger(file, 'Read the file /home/ann/.ssh/id_rsa')).toBe(true);
});
