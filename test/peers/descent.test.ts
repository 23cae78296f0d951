import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createDescends, descendsBy } from '../../src/peers/find-caller.ts';

test.each([
  [[40, 30, 20, 1], true],
  [[40, 1], false],
  [[40, 0], false],
  [[40, 30, undefined], undefined],
  [[40, 40], undefined],
])('of the parents %j the process 20 is among them: %s', (parents, expected) => {
  const parentOf = (pid: number) => (pid === 40 && parents[1] === 40 ? 40 : parents[parents.indexOf(pid) + 1]);
  expect(descendsBy(parentOf, 40, 20)).toBe(expected);
});

/** A hundred shells, each of which started the next one. */
const SHELLS = 'n=$1; [ "$n" -gt 0 ] && { sh -c "$0" "$0" $((n - 1)); exit; }; echo $$; read -r _';

test('a process is found among a hundred that started each other', async () => {
  const child = spawn('sh', ['-c', SHELLS, SHELLS, '100'], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.stdin.end());
  const [line] = await once(child.stdout, 'data');
  const descends = createDescends(process.platform);
  expect(await descends(Number(line), process.pid)).toBe(true);
  expect(await descends(process.pid, Number(line))).toBe(false);
});

/** As `ps -axww -o pid=,ppid=,comm=` of macOS prints it. */
const LIST = `    1     0 /sbin/launchd
  411     1 /Applications/Handrail.app/Contents/MacOS/Handrail
  640   411 /usr/local/bin/node
  641   640 /bin/sh
  700     1 /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
`;

test.each([
  [641, true],
  [700, false],
  [999, undefined],
])('on a Mac the list of ps tells whether %i descends from 411: %s', async (pid, expected) => {
  expect(await createDescends('darwin', async () => LIST)(pid, 411)).toBe(expected);
});

test('on a Mac nothing is known where ps fails', async () => {
  const failing = () => Promise.reject(new Error('timed out'));
  expect(await createDescends('darwin', failing)(641, 411)).toBeUndefined();
});
