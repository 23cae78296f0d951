import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkRunFile } from '../../../src/own-daemon/run-check.ts';
import { jsonOf, RECORD_BEGINS, RECORD_ENDS, runPage } from '../../../src/run-file/run-page.ts';
import { type RunRecord, sealed } from '../../../src/run-file/run-record.ts';
import { isRefusal } from '../../../src/services/refusal.ts';
import { chain } from '../../../src/store/journal/journal.ts';
import { newDataFolder } from '../../store/data-folder.ts';
import { done, type Rig, startServices } from '../rig.ts';

const PICTURE = Buffer.from('not really a picture');
const HOSTILE = '<img src="data:image/png;base64,AAAA" onerror=alert(1)></pre><script>alert(1)</script>\u202e\u0000';

/** A wait, then a read whose agent answers with a picture. */
async function withRun() {
  const rig = startServices();
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 0 }, reason: HOSTILE.slice(0, 100) });
  await rig.agent.answer(done({ details: HOSTILE }));
  const { actionId } = await rig.submitted({ actionType: 'DescribeScreen', parameters: {} });
  const size = { width: 3, height: 2, sizeBytes: PICTURE.byteLength, sha256: hash('sha256', PICTURE) };
  const announced = { id: `art_${'0'.repeat(26)}`, mediaType: 'image/png' as const, ...size };
  await rig.agent.answer(done({ attachments: [{ announced, bytes: PICTURE }] }));
  await expect.poll(() => rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'success' });
  return { ...rig, actionId };
}

async function savedRun({ services, actionId }: Pick<Rig, 'services'> & { actionId: string }): Promise<string> {
  const file = await services.console.runs.save(actionId);
  if (isRefusal(file)) throw new Error(file.detail);
  return file.page;
}

/** The answer of `handrail audit --file` on a computer with this data directory, with the name of the file left out. */
function checked(text: string, dataDirectory: string): { isGood: boolean; line: string } {
  const file = join(newDataFolder('handrail-run-file-'), 'run.html');
  writeFileSync(file, text);
  const { isGood, line } = checkRunFile(dataDirectory, file);
  return { isGood, line: line.replaceAll(file, 'FILE') };
}

function recordOf(page: string): RunRecord {
  const begin = page.lastIndexOf(RECORD_BEGINS) + RECORD_BEGINS.length;
  return JSON.parse(jsonOf(page.slice(begin, page.indexOf(RECORD_ENDS, begin)))) as RunRecord;
}

test('a saved run is proven by the key of the journal where it was saved, and only held together elsewhere', async () => {
  const rig = await withRun();
  const page = await savedRun(rig);
  const found = '2 actions, 1 picture and 6 rows of the journal agree in FILE.';
  expect(checked(page, rig.store.path)).toEqual({
    isGood: true,
    line: `${found} Its seal was made with the key of this computer's journal, which has 6 of the rows.`,
  });
  expect(checked(page, '/nowhere')).toEqual({
    isGood: true,
    line: `${found} Its seal was not made with the key of the journal on this computer, so who wrote it is not proven: check it where it was saved.`,
  });
  expect(await rig.services.console.runs.save('act_none')).toMatchObject({ refused: 'action_not_found' });
});

test('S8: nothing of a requester becomes markup or invisible in a saved run', async () => {
  const page = await savedRun(await withRun());
  for (const markup of ['<script', '\u202e', '\u0000']) expect(page).not.toContain(markup);
  expect(page).not.toMatch(/<img [^>]*onerror/);
  expect(page.match(/<img /g)).toHaveLength(1);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain("default-src 'none'");
});

test('S7: every byte of a saved run counts', async () => {
  const rig = await withRun();
  const page = await savedRun(rig);
  const step = Math.max(1, Math.floor(page.length / 60));
  for (let at = 0; at < page.length; at += step) {
    const other = page[at] === 'x' ? 'y' : 'x';
    const changed = `${page.slice(0, at)}${other}${page.slice(at + 1)}`;
    expect({ at, ...checked(changed, rig.store.path) }).toMatchObject({ at, isGood: false });
  }
  // One digit of the digest, and one of the signature.
  for (const at of [page.length - 20, page.length - 100]) {
    const changed = `${page.slice(0, at)}${page[at] === '0' ? '1' : '0'}${page.slice(at + 1)}`;
    expect(checked(changed, rig.store.path).line).toContain('it was changed after it was sealed');
  }
  expect(checked(`${page}\n`, rig.store.path)).toMatchObject({ isGood: false });
  expect(checked('', rig.store.path).line).toBe(
    'FILE is not as Handrail wrote it: it has no seal of Handrail at its end.',
  );
});

/** The page of a changed record, sealed by somebody without the key. */
function forged(page: string, change: (record: RunRecord) => void, picture: Buffer = PICTURE): string {
  const record = recordOf(page);
  change(record);
  return sealed(runPage(record, new Map([[hash('sha256', PICTURE), picture.toString('base64')]])), '0'.repeat(64));
}

const changeAction = (change: object) => (record: RunRecord) => Object.assign(record.actions[0] ?? {}, change);
const changeRecord = (change: object) => (record: RunRecord) =>
  Object.assign(record.actions[0]?.detail.action ?? {}, change);

test.each<[string, (record: RunRecord) => void, RegExp, Buffer?]>([
  ['a row', ({ journal }) => Object.assign(journal[1] ?? {}, { kind: 'action.denied' }), /row \d+ .* have its hash/],
  ['a row taken out of its order', ({ journal }) => void journal.reverse(), /row \d+ of the journal is out of order/],
  ['the status of an action', changeRecord({ status: 'denied' }), /its rows end with another status/],
  ['the arguments of an action', changeAction({ subject: '{}' }), /its arguments do not have the digest of its row/],
  ['the requester of an action', changeRecord({ userId: 'bob' }), /its row names another request/],
  ['an action without a row', ({ journal }) => void journal.splice(0, 1), /no row says that it was requested/],
  ['a picture', () => undefined, /it shows something else than its record says/, Buffer.from('another picture')],
])('a forger who seals the file anew and changed %s is found by the rows', async (_title, change, fault, picture) => {
  const rig = await withRun();
  const file = forged(await savedRun(rig), change, picture);
  expect(checked(file, '/nowhere')).toMatchObject({ isGood: false, line: expect.stringMatching(fault) });
});

test('a forger who computes all hashes anew has no seal of this computer', async () => {
  const rig = await withRun();
  const file = forged(await savedRun(rig), ({ journal }) => {
    for (const row of journal) {
      const { seq, atMs, kind, userId, deviceId, actionId, confirmationId, metadata } = row;
      const facts = [seq, atMs + 1, kind, userId, deviceId, actionId, confirmationId, metadata];
      Object.assign(row, {
        atMs: atMs + 1,
        previousHash: journal.find((one) => one.seq === seq - 1)?.hash ?? row.previousHash,
      });
      row.hash = chain(Buffer.from(row.previousHash, 'hex'), facts).toString('hex');
    }
  });
  expect(checked(file, rig.store.path).line).toContain('who wrote it is not proven');
});

test('the page of a record never changes within one format: files that were saved must stay checkable', () => {
  const id = `act_${'0'.repeat(26)}`;
  const at = '2026-01-02T03:04:05.678Z';
  const record: RunRecord = {
    version: 1,
    savedAt: at,
    run: {
      id,
      userId: 'ann',
      startedAt: at,
      lastAt: at,
      endedAt: at,
      actions: 1,
      statuses: [{ status: 'success', count: 1 }],
      types: [{ actionType: 'Wait', count: 1 }],
      artifacts: 0,
      risk: 'low',
      isCut: false,
    },
    actions: [],
    texts: [],
    pictures: [],
    journal: [],
  };
  expect(hash('sha256', runPage(record, new Map()))).toBe(
    '8b7c27fb67230bc11ce8cedec583d726132a43ab0ac3bc92edad17936df277c6',
  );
});
