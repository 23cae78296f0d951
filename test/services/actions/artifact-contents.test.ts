import { hash } from 'node:crypto';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createArtifactContents } from '../../../src/services/actions/actions.ts';
import { createStore } from '../../../src/store/store.ts';
import { newDataFolder } from '../../store/data-folder.ts';

const ID = 'art_01JZ6M6E7K3V4S8T9W0X1Y2Z3A';

/** An artifact of ann with these bytes, in a real store. */
function startWith(bytes: Buffer) {
  const store = createStore({ path: newDataFolder('handrail-artifact-'), now: () => 0 });
  onTestFinished(() => store.close());
  const artifact = { id: ID, actionId: 'act_1', userId: 'ann', mediaType: 'text/plain', width: 0, height: 0 };
  const facts = { sizeBytes: bytes.length, sha256: hash('sha256', bytes, 'hex'), createdAtMs: 0 };
  const row = { ...artifact, ...facts } as { removedAtMs?: number } & typeof artifact & typeof facts;
  const find = (userId: string, id: string) => (userId === row.userId && id === row.id ? row : undefined);
  const contents = createArtifactContents({ store: { ...store, artifacts: { ...store.artifacts, find } } });
  writeFileSync(store.artifactFiles.pathOf(ID), bytes);
  return { contents, row, path: store.artifactFiles.pathOf(ID) };
}

test('F9: the text of an artifact is read, and that of another user or another id is not', () => {
  const { contents } = startWith(Buffer.from('echo \u00e9\n'));
  expect(contents('ann', ID)).toEqual({ text: 'echo \u00e9\n', isText: true, isWhole: true, sizeBytes: 8 });
  expect([contents('bob', ID), contents('ann', 'art_01JZ6M6E7K3V4S8T9W0X1Y2Z3B')]).toEqual([undefined, undefined]);
});

test('F9: of a larger artifact the first 64 KiB are read, and bytes that are no text are told', () => {
  const large = startWith(Buffer.from('x'.repeat(65_537)));
  const text = 'x'.repeat(65_536);
  expect(large.contents('ann', ID)).toEqual({ text, isText: true, isWhole: false, sizeBytes: 65_537 });
  expect(startWith(Buffer.from(text)).contents('ann', ID)).toMatchObject({ isWhole: true });
  expect(startWith(Buffer.from([0x23, 0xff])).contents('ann', ID)).toMatchObject({ isText: false, isWhole: true });
});

test('F9: an artifact that was removed, is gone, was changed or is a link has no contents', () => {
  const removed = startWith(Buffer.from('echo'));
  expect(removed.contents('ann', ID)).toBeDefined();
  removed.row.removedAtMs = 1;
  expect(removed.contents('ann', ID)).toBeUndefined();
  const changes: ((path: string) => void)[] = [
    (path) => rmSync(path),
    (path) => writeFileSync(path, 'evil'),
    (path) => {
      rmSync(path);
      writeFileSync(`${path}-other`, 'echo');
      symlinkSync(`${path}-other`, path);
    },
  ];
  for (const change of changes) {
    const { contents, path } = startWith(Buffer.from('echo'));
    change(path);
    expect(contents('ann', ID)).toBeUndefined();
  }
});
