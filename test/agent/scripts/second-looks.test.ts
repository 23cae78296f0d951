import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { isPublicAddress } from '../../../agent/scripts/network/gate.ts';
import { childrenOf, excessOf } from '../../../agent/scripts/process-tree.ts';
import { skipWithout } from '../../runner/skip-without.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createScriptsRig } from './rig.ts';

const rig = rigOfTest(createScriptsRig);

test('changes are said to be incomplete where the folder could not be looked over again', async (context) => {
  skipWithout('Linux', context);
  const { signal } = new AbortController();
  Object.defineProperty(signal, 'aborted', { get: () => rig.has('work/done') });
  const answer = await rig.run('touch done', {}, { signal });
  expect(answer).toMatchObject({ ok: true, data: { exitCode: 0, changedFilesComplete: false } });
});

test.each([
  [255, undefined],
  [256, 'more than 256 processes'],
])('X6: a script with %d processes beside its first one takes too much: %s', async (count, excess) => {
  const script = `for i in $(seq ${count}); do sleep 600 & done; echo begun; wait`;
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = child.pid ?? 0;
  onTestFinished(() => void process.kill(-pid, 'SIGKILL'));
  await once(child.stdout, 'data');
  await expect.poll(() => childrenOf(pid).length).toBe(count);
  expect(excessOf(pid)).toBe(excess);
});

test.each([
  ['100.63.255.255', true],
  ['100.64.0.0', false],
  ['100.65.0.1', false],
  ['100.100.100.100', false],
  ['100.127.255.255', false],
  ['100.128.0.0', true],
])('X9: the address %s of the network that providers share is of the public internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
