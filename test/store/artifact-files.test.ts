import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createArtifactFiles } from '../../src/store/records/artifacts.ts';
import { temporaryFolder } from './rig.ts';

const BYTES = Buffer.alloc(300_000, 'picture');

test('an artifact is read in pieces that together are its bytes', async () => {
  const { files } = await withArtifact();
  const stream = await files.open('art_a', BYTES.length);
  const sizes: number[] = [];
  stream?.on('data', (piece: Buffer) => sizes.push(piece.length));
  if (stream === undefined) throw new Error('there is no stream');
  expect(await buffer(stream)).toEqual(BYTES);
  expect(sizes.length).toBeGreaterThan(1);
});

test('an artifact that is removed while it is read is read to its end', async () => {
  const { files } = await withArtifact();
  const stream = await files.open('art_a', BYTES.length);
  await files.remove('art_a');
  if (stream === undefined) throw new Error('there is no stream');
  expect(await buffer(stream)).toEqual(BYTES);
  expect(await files.open('art_a', BYTES.length)).toBeUndefined();
});

test('R1: only an ordinary file of the recorded size is read', async () => {
  const { files, folder } = await withArtifact();
  const planted = join(folder, 'art_b');
  renameSync(join(folder, 'art_a'), join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), planted);
  mkdirSync(join(folder, 'art_c'));
  execFileSync('mkfifo', [join(folder, 'art_d')]);
  writeFileSync(join(folder, 'art_e'), BYTES.subarray(1));
  for (const id of ['art_b', 'art_c', 'art_d', 'art_e', 'art_f']) {
    expect(await files.open(id, BYTES.length), id).toBeUndefined();
  }
  const before = openFiles();
  for (let count = 0; count < 20; count += 1) await files.open('art_e', BYTES.length);
  expect(openFiles()).toBe(before);
});

async function withArtifact() {
  const folder = temporaryFolder();
  const files = createArtifactFiles(folder);
  await files.write('art_a', BYTES);
  return { files, folder };
}

function openFiles(): number {
  return readdirSync('/dev/fd').length;
}
