import { expect, test } from 'vitest';
import type { CallingProgram } from '../../src/contract/program.ts';
import { comparedProgram } from '../../src/peers/program.ts';

const PYTHON: CallingProgram = {
  kind: 'program',
  uid: 1_000,
  pid: 7,
  name: 'python3',
  path: '/usr/bin/python3',
  script: '/home/ann/a.py',
  startedBy: [{ pid: 3, name: 'bash' }],
};
const GONE: CallingProgram = { kind: 'unknown', because: 'it has ended' };

test('a program that holds its connection all the time is the same, whoever started it', () => {
  expect(comparedProgram(PYTHON, { ...PYTHON, startedBy: [] })).toEqual({ ...PYTHON, startedBy: [] });
});

test.each([
  ['pid', 8],
  ['uid', 0],
  ['name', 'ssh-agent'],
  ['path', '/usr/bin/ssh-agent'],
  ['script', '/home/ann/b.py'],
])('another %s is another program', (member, value) => {
  const now = { ...PYTHON, [member]: value } as CallingProgram;
  const { kind: _kind, uid: _uid, startedBy: _startedBy, ...changedFrom } = PYTHON as never as Record<string, unknown>;
  expect(comparedProgram(PYTHON, now)).toEqual({ ...now, changedFrom });
});

test('a program that was found only once is unknown', () => {
  expect(comparedProgram(PYTHON, GONE)).toEqual(GONE);
  expect(comparedProgram(GONE, PYTHON)).toEqual({
    kind: 'unknown',
    because: 'when the connection was made: it has ended',
  });
});
