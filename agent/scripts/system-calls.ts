/**
 * System calls that no script may make. The first ones take memory that belongs to no process, so that neither the limits of the
 * operating system nor the agent's look at the processes count it. The others are doors into the kernel that scripts do not need.
 * The numbers are those of x86-64 and of 64-bit ARM.
 */
const REFUSED: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  io_uring_setup: [425, 425],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  // It keeps whole pages of a process in a pipe after the process has given them back.
  vmsplice: [278, 75],
};

/** Sets an option of a socket. Larger buffers are not given, and the call succeeds all the same: they are a wish, as the program knows. */
const SET_OPTION: readonly [x64: number, arm64: number] = [54, 208];
const SOL_SOCKET = 1;
const BUFFER_SIZES = { SO_SNDBUF: 7, SO_RCVBUF: 8 } as const;

/** As the kernel names them in `seccomp_data.arch`. */
const ARCHITECTURES = { x64: 0xc0_00_00_3e, arm64: 0xc0_00_00_b7 } as const;

/** Where the fields are in `seccomp_data`; of the arguments the lower half, which is all that the kernel reads of a number. */
const AT = { number: 0, architecture: 4, second: 24, third: 32 } as const;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7f_ff_00_00;
const EPERM = 1;
const REFUSE = 0x00_05_00_00 + EPERM;
/** The error number 0: nothing is done, and the program sees success. */
const PRETEND = 0x00_05_00_00;
/** The second set of calls on x86-64 has numbers from here. */
const X32 = 0x40_00_00_00;

type Instruction = { code: number; value: number; ifTrue?: number; ifFalse?: number };

/**
 * The filter of system calls as the kernel takes it, a program for the classic Berkeley packet filter. A refused call fails with
 * EPERM, and so does every call of a program for another processor. A wish for larger buffers of a socket has no effect. `undefined` for a processor whose numbers are not known here.
 */
export function systemCallFilter(architecture: string = process.arch): Buffer | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  const numbers = Object.values(REFUSED).map(([x64, arm64]) => (architecture === 'x64' ? x64 : arm64));
  const buffers = testsOfBuffers(SET_OPTION[architecture === 'x64' ? 0 : 1]);
  const tests: Instruction[] = [
    ...(architecture === 'x64' ? [{ code: JUMP_IF_AT_LEAST, value: X32 }] : []),
    ...numbers.map((value) => ({ code: JUMP_IF_EQUAL, value })),
  ];
  return encoded([
    { code: LOAD, value: AT.architecture },
    // Past the tests and the permission, to the refusal.
    { code: JUMP_IF_EQUAL, value: ARCHITECTURES[architecture], ifFalse: tests.length + buffers.length + 2 },
    { code: LOAD, value: AT.number },
    ...tests.map((test, index) => ({ ...test, ifTrue: tests.length - index + buffers.length })),
    ...buffers,
    { code: RETURN, value: ALLOW },
    { code: RETURN, value: REFUSE },
    { code: RETURN, value: PRETEND },
  ]);
}

/** Leads to the last of the three answers that follow for a wish for larger buffers, and else to the first. */
function testsOfBuffers(call: number): Instruction[] {
  return [
    { code: JUMP_IF_EQUAL, value: call, ifFalse: 5 },
    { code: LOAD, value: AT.second },
    { code: JUMP_IF_EQUAL, value: SOL_SOCKET, ifFalse: 3 },
    { code: LOAD, value: AT.third },
    { code: JUMP_IF_EQUAL, value: BUFFER_SIZES.SO_SNDBUF, ifTrue: 3 },
    { code: JUMP_IF_EQUAL, value: BUFFER_SIZES.SO_RCVBUF, ifTrue: 2 },
  ];
}

const INSTRUCTION_BYTES = 8;

function encoded(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
  instructions.forEach(({ code, value, ifTrue = 0, ifFalse = 0 }, index) => {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  });
  return bytes;
}
