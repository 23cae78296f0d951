const AF_NETLINK = 16;
const SOCK_RAW_CLOEXEC = 0o2000003;
const NETLINK_SOCK_DIAG = 4;
const MSG_DONTWAIT = 0x40;

/** Longer than the description of a socket with all that the kernel may add. */
const ANSWER_BYTES = 4_096;

/** Sends a request to the kernel and answers with its reply, or nothing where there is none. */
export type Exchange = (request: Uint8Array) => Uint8Array | undefined;

/**
 * Opens a socket to the kernel's diagnostics of sockets (`man 7 sock_diag`). Node has no such sockets, so this calls the functions
 * of the C library, which takes about 30 µs for one exchange. Nothing where this Node cannot call them, or the system has no such
 * sockets.
 */
export function openSocketDiagnostics(): Exchange | undefined {
  const ffi = process.getBuiltinModule('node:ffi');
  if (!isFfi(ffi) || process.platform !== 'linux') return undefined;
  const { functions } = ffi.dlopen(null, {
    socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
    send: { arguments: ['i32', 'pointer', 'u64', 'i32'], return: 'i64' },
    recv: { arguments: ['i32', 'pointer', 'u64', 'i32'], return: 'i64' },
  });
  const descriptor = functions.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG);
  if (descriptor < 0) return undefined;
  const answer = Buffer.alloc(ANSWER_BYTES);
  return (request) => {
    const sent = functions.send(descriptor, ffi.getRawPointer(request), BigInt(request.length), MSG_DONTWAIT);
    // The kernel answers before `send` returns.
    const length = functions.recv(descriptor, ffi.getRawPointer(answer), BigInt(ANSWER_BYTES), MSG_DONTWAIT);
    return sent === BigInt(request.length) && length > 0n ? answer.subarray(0, Number(length)) : undefined;
  };
}

/** The module is experimental: a runtime may lack it, or have changed it. */
function isFfi(module: object | undefined): module is typeof import('node:ffi') {
  return module !== undefined && 'dlopen' in module && 'getRawPointer' in module;
}
