import { expect, test } from 'vitest';
import { systemCallFilter } from '../../../agent/scripts/system-calls.ts';

const ALLOWED = 0x7f_ff_00_00;
const REFUSED = 0x00_05_00_01;
const PRETENDED = 0x00_05_00_00;
const X64 = 0xc0_00_00_3e;
const ARM64 = 0xc0_00_00_b7;
const I386 = 0x40_00_00_03;
const ARM32 = 0x40_00_00_28;

type Call = { architecture: number; number: number; first?: number; level?: number; option?: number; fourth?: number };

/** Runs the filter as the kernel does; see `bpf(4)` of FreeBSD for the machine. */
function answerOf(filter: Buffer | undefined, call: Call): number {
  const { architecture, number, first = 0, level = 0, option = 0, fourth = 0 } = call;
  const fields: Readonly<Record<number, number>> = {
    0: number,
    4: architecture,
    16: first,
    24: level,
    32: option,
    40: fourth,
  };
  if (filter === undefined) throw new Error('no filter');
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const jump = (isTrue: boolean) => filter.readUInt8(at + (isTrue ? 2 : 3)) * 8;
    if (code === 0x20) accumulator = fields[value] ?? Number.NaN;
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
    else if (code === 0x45) at += jump((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no answer');
}

const CALLS = [
  { name: 'read', processor: 'x64', architecture: X64, number: 0, answer: ALLOWED },
  { name: 'shmget', processor: 'x64', architecture: X64, number: 29, answer: REFUSED },
  { name: 'shmat', processor: 'x64', architecture: X64, number: 30, answer: ALLOWED },
  { name: 'memfd_create', processor: 'x64', architecture: X64, number: 319, answer: REFUSED },
  { name: 'userfaultfd', processor: 'x64', architecture: X64, number: 323, answer: REFUSED },
  { name: 'memfd_secret', processor: 'x64', architecture: X64, number: 447, answer: REFUSED },
  { name: 'vmsplice', processor: 'x64', architecture: X64, number: 278, answer: REFUSED },
  { name: 'ptrace', processor: 'x64', architecture: X64, number: 101, answer: REFUSED },
  { name: 'process_vm_writev', processor: 'x64', architecture: X64, number: 311, answer: REFUSED },
  { name: 'a call of the 32-bit kind', processor: 'x64', architecture: X64, number: 0x40_00_00_00, answer: REFUSED },
  { name: 'a call of a 32-bit program', processor: 'x64', architecture: I386, number: 3, answer: REFUSED },
  { name: 'read', processor: 'arm64', architecture: ARM64, number: 63, answer: ALLOWED },
  { name: 'shmget', processor: 'arm64', architecture: ARM64, number: 194, answer: REFUSED },
  { name: 'memfd_create', processor: 'arm64', architecture: ARM64, number: 279, answer: REFUSED },
  { name: 'ptrace', processor: 'arm64', architecture: ARM64, number: 117, answer: REFUSED },
  { name: 'a call of a 32-bit program', processor: 'arm64', architecture: ARM32, number: 3, answer: REFUSED },
];

test.each([
  { level: 1, option: 7, answer: PRETENDED },
  { level: 1, option: 8, answer: PRETENDED },
  { level: 1, option: 9, answer: ALLOWED },
  { level: 6, option: 7, answer: ALLOWED },
])('the option $option of level $level of a socket', ({ answer, ...call }) => {
  expect(answerOf(systemCallFilter('x64'), { architecture: X64, number: 54, ...call })).toBe(answer);
  expect(answerOf(systemCallFilter('arm64'), { architecture: ARM64, number: 208, ...call })).toBe(answer);
});

test.each([
  { name: 'open', x64: 2, mode: 'option' },
  { name: 'openat', x64: 257, arm64: 56, mode: 'fourth' },
  { name: 'creat', x64: 85, mode: 'level' },
  { name: 'chmod', x64: 90, mode: 'level' },
  { name: 'fchmod', x64: 91, arm64: 52, mode: 'level' },
  { name: 'fchmodat', x64: 268, arm64: 53, mode: 'option' },
  { name: 'fchmodat2', x64: 452, arm64: 452, mode: 'option' },
  { name: 'mknod', x64: 133, mode: 'level' },
  { name: 'mknodat', x64: 259, arm64: 33, mode: 'option' },
])('X18: $name gives no file the rights of its owner or group', ({ x64, arm64, mode }) => {
  const onX64 = (value: number) => answerOf(systemCallFilter('x64'), { architecture: X64, number: x64, [mode]: value });
  for (const value of [0o4755, 0o2755, 0o104000]) expect(onX64(value)).toBe(REFUSED);
  expect(onX64(0o1755)).toBe(ALLOWED);
  if (arm64 === undefined) return;
  const onArm64 = (value: number) =>
    answerOf(systemCallFilter('arm64'), { architecture: ARM64, number: arm64, [mode]: value });
  expect([onArm64(0o4755), onArm64(0o2644), onArm64(0o755)]).toEqual([REFUSED, REFUSED, ALLOWED]);
});

test('X18: a mode that stands in memory is given by no call', () => {
  expect(answerOf(systemCallFilter('x64'), { architecture: X64, number: 437 })).toBe(0x00_05_00_00 + 38);
});

test.each([1, 2, 10, 16])('a socket of the family %d', (first) => {
  for (const number of [41, 53])
    expect(answerOf(systemCallFilter('x64'), { architecture: X64, number, first })).toBe(ALLOWED);
  expect(answerOf(systemCallFilter('arm64'), { architecture: ARM64, number: 198, first })).toBe(ALLOWED);
});

test.each([0, 17, 31, 38, 40, 44])('X19: no socket of the family %d', (first) => {
  for (const number of [41, 53])
    expect(answerOf(systemCallFilter('x64'), { architecture: X64, number, first })).toBe(REFUSED);
  for (const number of [198, 199])
    expect(answerOf(systemCallFilter('arm64'), { architecture: ARM64, number, first })).toBe(REFUSED);
});

test.each(CALLS)('$name on $processor', ({ processor, answer, ...call }) => {
  expect(answerOf(systemCallFilter(processor), call)).toBe(answer);
});

test('there is no filter for a processor whose numbers are not known', () => {
  expect(systemCallFilter('riscv64')).toBeUndefined();
});
