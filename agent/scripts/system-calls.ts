/**
 * System calls that no script may make. The first ones take memory that belongs to no process, so that neither the limits of the
 * operating system nor the agent's look at the processes count it. The others are doors into the kernel that scripts do not need.
 * The numbers are those of x86-64 and of 64-bit ARM.
 */
const REFUSED: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  memfd_create: [319, 279], // guard X6-2
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
  // The first process of the sandbox has none of the limits of a script, which could stop it for good or run its own code in it.
  ptrace: [101, 117], // guard X4-1
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
};

/** Sets an option of a socket. Larger buffers are not given, and the call succeeds all the same: they are a wish, as the program knows. */
const SET_OPTION: readonly [x64: number, arm64: number] = [54, 208];
const SOL_SOCKET = 1;
const BUFFER_SIZES = { SO_SNDBUF: 7, SO_RCVBUF: 8 } as const;

/** Where the fields are in `seccomp_data`; of the arguments the lower half, which is all that the kernel reads of a number. */
const AT = { number: 0, architecture: 4, first: 16, second: 24, third: 32, fourth: 40 } as const;

/** Calls that give a file its mode, and the argument that has it. 64-bit ARM has no number for the older ones. */
const SET_MODE: readonly (readonly [x64: number, arm64: number | undefined, at: number])[] = [
  /* open */ [2, undefined, AT.third],
  /* creat */ [85, undefined, AT.second],
  /* openat */ [257, 56, AT.fourth],
  /* chmod */ [90, undefined, AT.second],
  /* fchmod */ [91, 52, AT.second],
  /* fchmodat */ [268, 53, AT.third],
  /* fchmodat2 */ [452, 452, AT.third],
  /* mknod */ [133, undefined, AT.second],
  /* mknodat */ [259, 33, AT.third],
];
/** Another user who ran a file with such a bit would run the script's text with the rights of the person (setuid, setgid). */
const OTHER_RIGHTS = 0o6000;
/** `openat2` has its mode in memory, where no filter sees it. Programs that get ENOSYS use `openat`. */
const OPEN_BY_STRUCTURE = 437;

/** `socket` and `socketpair`. */
const NEW_SOCKET: readonly (readonly [x64: number, arm64: number])[] = [
  [41, 198],
  [53, 199],
];
/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Others lead out of the namespace of the network, such as AF_VSOCK to the host of a machine. */
const FAMILIES = [1, 2, 10, 16];

/** As the kernel names them in `seccomp_data.arch`. */
const ARCHITECTURES = { x64: 0xc0_00_00_3e, arm64: 0xc0_00_00_b7 } as const;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7f_ff_00_00;
const EPERM = 1;
const REFUSE = 0x00_05_00_00 + EPERM;
const NOT_THERE = 0x00_05_00_00 + 38;
/** The error number 0: nothing is done, and the program sees success. */
const PRETEND = 0x00_05_00_00;
/** The second set of calls on x86-64 has numbers from here. */
const X32 = 0x40_00_00_00;

type Instruction = { code: number; value: number; ifTrue?: number; ifFalse?: number };

/**
 * The filter of system calls as the kernel takes it, a program for the classic Berkeley packet filter. A refused call fails with
 * EPERM, and so does every call of a program for another processor. A wish for larger buffers of a socket has no effect.
 * `undefined` for a processor whose numbers are not known here.
 */
export function systemCallFilter(architecture: string = process.arch): Buffer | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  const numbers = Object.values(REFUSED).map(([x64, arm64]) => (architecture === 'x64' ? x64 : arm64));
  const buffers = testsOfBuffers(SET_OPTION[architecture === 'x64' ? 0 : 1]);
  const byArgument = testsOfArguments(architecture);
  const tests: Instruction[] = [
    ...(architecture === 'x64' ? [{ code: JUMP_IF_AT_LEAST, value: X32 }] : []),
    ...numbers.map((value) => ({ code: JUMP_IF_EQUAL, value })),
  ];
  return encoded([
    { code: LOAD, value: AT.architecture },
    // Past the tests and the permission, to the refusal.
    {
      code: JUMP_IF_EQUAL,
      value: ARCHITECTURES[architecture],
      ifFalse: byArgument.length + tests.length + buffers.length + 2,
    },
    { code: LOAD, value: AT.number },
    ...byArgument,
    ...tests.map((test, index) => ({ ...test, ifTrue: tests.length - index + buffers.length })),
    ...buffers,
    { code: RETURN, value: ALLOW },
    { code: RETURN, value: REFUSE },
    { code: RETURN, value: PRETEND },
  ]);
}

/** Answers the calls that an argument decides. The number of the call stays loaded for the tests that follow. */
function testsOfArguments(architecture: keyof typeof ARCHITECTURES): Instruction[] {
  const mine = architecture === 'x64' ? 0 : 1;
  const modes = SET_MODE.flatMap((call) => {
    const number = call[mine];
    return number === undefined ? [] : testOfMode(number, call[2]);
  });
  return [
    ...modes, // guard X18-1
    ...NEW_SOCKET.flatMap((call) => testOfFamily(call[mine])), // guard X19-1
    { code: JUMP_IF_EQUAL, value: OPEN_BY_STRUCTURE, ifFalse: 1 },
    { code: RETURN, value: NOT_THERE },
  ];
}

function testOfMode(call: number, at: number): Instruction[] {
  return [
    { code: JUMP_IF_EQUAL, value: call, ifFalse: 4 },
    { code: LOAD, value: at },
    { code: JUMP_IF_ANY_BIT, value: OTHER_RIGHTS, ifFalse: 1 },
    { code: RETURN, value: REFUSE },
    { code: RETURN, value: ALLOW },
  ];
}

function testOfFamily(call: number): Instruction[] {
  const families = FAMILIES.map((value, index) => ({ code: JUMP_IF_EQUAL, value, ifTrue: FAMILIES.length - index }));
  return [
    { code: JUMP_IF_EQUAL, value: call, ifFalse: FAMILIES.length + 3 },
    { code: LOAD, value: AT.first },
    ...families,
    { code: RETURN, value: REFUSE },
    { code: RETURN, value: ALLOW },
  ];
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
