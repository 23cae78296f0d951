import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join, relative } from 'node:path';
import { createScriptsRig, ledgerOf, ranWell } from './rig.ts';

/**
 * Attacks by scripts in the real sandbox, as the user that runs this file. Prints what each of them got hold of as one line of
 * JSON. A test runs it as root and as an ordinary user.
 */
const rig = createScriptsRig();
const outside = `the-outside-of-${process.pid}`;

async function listening(at: { path: string } | { port: number; host: string }): Promise<Server> {
  const server = createServer((socket) => socket.end('SECRET-ANSWER'));
  await new Promise<void>((resolve) => server.listen(at, resolve));
  return server;
}

writeFileSync(rig.at('work/.env'), 'SECRET-ENV');
mkdirSync(rig.at('work/backup/.ssh'), { recursive: true });
writeFileSync(rig.at('work/backup/.ssh/key'), 'SECRET-BACKUP');
linkSync(rig.at('.ssh/id_rsa'), rig.at('work/second-name'));
symlinkSync(rig.at('.ssh'), rig.at('work/link'));
mkdirSync(rig.at('work/.git/hooks'), { recursive: true });
writeFileSync(rig.at('work/.git/config'), 'as it was');
const daemonsData = rig.at('work/data');
mkdirSync(daemonsData);
writeFileSync(join(daemonsData, 'handrail.sqlite'), 'SECRET-DATA');

const tcp = await listening({ port: 0, host: '127.0.0.1' });
const address = tcp.address();
const port = typeof address === 'object' ? address?.port : undefined;
const servers = [
  tcp,
  await listening({ path: join(rig.root, 'agent.sock') }),
  await listening({ path: rig.at('work/bus.sock') }),
  await listening({ path: `\0${outside}` }),
];

/** Tries each expression by itself and prints what it gave, or the name of the error. */
function tries(expressions: readonly string[]): string {
  return [
    'import ctypes, glob, os, socket, subprocess',
    'def connect(family, to):',
    '    s = socket.socket(family); s.settimeout(2); s.connect(to); return s.recv(99)',
    'def enlarged(option):',
    '    s = socket.socketpair()[0]; size = s.getsockopt(socket.SOL_SOCKET, option)',
    '    s.setsockopt(socket.SOL_SOCKET, option, 1 << 20)',
    '    if s.getsockopt(socket.SOL_SOCKET, option) == size: raise OSError',
    '    return size',
    'def text(path): return open(path).read()',
    'def write(path): return open(path, "a").close()',
    'def call(name, *args):',
    '    answer = getattr(ctypes.CDLL(None, use_errno=True), name)(*args)',
    '    if answer < 0: raise OSError(ctypes.get_errno(), name)',
    '    return answer',
    ...expressions.map((each) => `try: print(repr(${each}))\nexcept Exception as e: print(type(e).__name__)`),
  ].join('\n');
}

const { root, home } = rig;
const READS = [
  `text('${home}/.ssh/id_rsa')`,
  `text('${home}/private/diary.txt')`,
  "text('../.ssh/id_rsa')",
  "text('link/id_rsa')",
  "text('.env')",
  "text('second-name')",
  "text('backup/.ssh/key')",
  "text('data/handrail.sqlite')",
  "os.rename('backup', 'other') or text('other/.ssh/key')",
  "os.link('.env', 'mine') or text('mine')",
  `text('/proc/self/root${home}/.ssh/id_rsa')`,
  `text('/proc/1/root${home}/.ssh/id_rsa')`,
  `text('/proc/${process.pid}/environ')`,
  "text('/etc/shadow')",
  "text('/etc/passwd')",
  `[text(p) for p in glob.glob('/proc/[0-9]*/fd/*') if 'SECRET' in os.readlink(p)]`,
];
const DOORS = [
  `connect(socket.AF_INET, ('127.0.0.1', ${port}))`,
  "connect(socket.AF_INET, ('127.0.0.1', 3001))",
  "connect(socket.AF_INET, ('192.0.2.1', 80))",
  `connect(socket.AF_UNIX, '${root}/agent.sock')`,
  "connect(socket.AF_UNIX, 'bus.sock')",
  `connect(socket.AF_UNIX, '\\0${outside}')`,
  "connect(socket.AF_UNIX, '/tmp/.X11-unix/X0')",
  "connect(socket.AF_UNIX, '/run/dbus/system_bus_socket')",
  "[os.environ.get(name) for name in ('DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK')]",
];
/** Each of these raises an error when it is refused. They open and do not write, so that a hole harms nothing. */
const WRITES = [
  `write('${home}/.bashrc')`,
  `write('${root}/new')`,
  "write('../private/diary.txt')",
  "os.symlink('../private', 'out') or write('out/diary.txt')",
  "write('.git/config')",
  "write('.git/hooks/pre-commit')",
  "write('/usr/local/bin/handrail-test')",
  "write('/etc/handrail-test')",
  "write('/proc/sys/kernel/core_pattern')",
  "write('/proc/sysrq-trigger')",
  "write('/dev/handrail-test')",
  "write('/handrail-test')",
];
const POWERS = [
  'os.kill(os.getppid() + 100000, 9)',
  `os.kill(${process.pid}, 0)`,
  "subprocess.run(['unshare', '--user', 'true'], check=True, capture_output=True)",
  "subprocess.run(['mount', '-t', 'tmpfs', 'x', '/tmp'], check=True, capture_output=True)",
  "subprocess.run(['umount', os.path.abspath('.env')], check=True, capture_output=True)",
  'os.setuid(0)',
  // The first process of the sandbox has none of its limits: traced, written into, robbed of a descriptor.
  "call('ptrace', 0x4206, 1, None, None)",
  "call('process_vm_readv', 1, bytes(16), 1, bytes(16), 1, 0)",
  "call('process_vm_writev', 1, bytes(16), 1, bytes(16), 1, 0)",
  "call('syscall', 438, os.pidfd_open(1), 0, 0)",
  "open('/proc/1/mem', 'r+b').fileno()",
];
/** A file that another user runs with the rights of the person, made in each way. */
const RIGHTS = [
  "open('planted', 'w').close() or os.chmod('planted', 0o4755) or 'done'",
  "os.fchmod(os.open('planted', os.O_RDWR | os.O_CREAT), 0o2755) or 'done'",
  "os.open('planted-at-once', os.O_CREAT | os.O_WRONLY, 0o4755)",
  "os.mknod('planted-node', 0o104755) or 'done'",
  "call('syscall', 437, -100, b'planted-by-structure', (ctypes.c_uint64 * 3)(0o101, 0o4755, 0), 24)",
  "call('syscall', 452, -100, b'planted', 0o4755, 0)",
];
/** Sockets that lead to the host of a virtual machine, to the kernel, or past the network of the sandbox. */
const FAMILIES = [40, 38, 31, 17].map((family) => `socket.socket(${family}, socket.SOCK_STREAM)`);
/** Memory that belongs to no process, so that nothing counts it; and doors into the kernel. 1 MiB each. */
const MEMORY = [
  "os.memfd_create('x')",
  "call('shmget', 0, 1 << 20, 0o1600)",
  "call('msgget', 0, 0o1600)",
  "call('semget', 0, 1, 0o1600)",
  "call('mq_open', b'/handrail-test', 0o102, 0o600, None)",
  "call('syscall', 425, 8, ctypes.create_string_buffer(120))",
  'os.vmsplice(os.pipe()[1], 0) if hasattr(os, "vmsplice") else call("vmsplice", os.pipe()[1], None, 0, 0)',
  'enlarged(socket.SO_SNDBUF)',
  'enlarged(socket.SO_RCVBUF)',
];

async function outcomesOf(expressions: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const own = {
    path: daemonsData,
    realPath: daemonsData,
    kind: 'folder',
    folder: { device: '1', inode: '1' },
  } as const;
  const files = [...(await rig.judged('~/work')), { ...own, secret: "Handrail's own data" }];
  const script = tries(expressions);
  const result = ranWell(await rig.perform({ interpreter: 'python', folder: '~/work', script, env }, files));
  return result.stdout.trimEnd().split('\n');
}

const before = ledgerOf(rig.root, rig.at('work'));
process.env.SSH_AUTH_SOCK = '/SECRET-SOCKET';
process.env.DISPLAY = ':SECRET';
const named = async (expressions: readonly string[]) => {
  const outcomes = await outcomesOf(expressions);
  return Object.fromEntries(expressions.map((each, index) => [each, outcomes[index]]));
};
const control = await outcomesOf(["text('notes.txt')", "write('mine.txt')", 'os.getpid() < 100']);
const seen = {
  reads: await named(READS),
  doors: await named(DOORS),
  writes: await named(WRITES),
  powers: await named(POWERS),
  memory: await named(MEMORY),
  rights: await named(RIGHTS),
  families: await named(FAMILIES),
};
/** A script has the rights of the person, so it can open what the person has locked, and lock what the person can open. */
async function behindLocks() {
  const locked = createScriptsRig();
  mkdirSync(locked.at('work/locked/.ssh'), { recursive: true });
  writeFileSync(locked.at('work/locked/.ssh/key'), 'SECRET-LOCKED');
  chmodSync(locked.at('work/locked'), 0o000);
  const script =
    'chmod 700 locked; cat locked/.ssh/key; mkdir -p a/b; git init -q a/b && chmod 300 a/b && chmod 300 a && echo locked;' +
    'mkdir c; ln -s ../../private c/x; chmod 600 c; ln -s /usr/bin/python3 program';
  const { stdout, renamedByHandrail = [], removedByHandrail = [] } = ranWell(await locked.run(script));
  const names = readdirSync(locked.at('work/a/b'));
  chmodSync(locked.at('work/locked'), 0o700);
  locked.remove();
  const within = (path: string) => relative(locked.at('work'), path);
  return {
    stdout,
    names,
    renamed: renamedByHandrail.map(({ from }) => within(from)),
    removed: removedByHandrail.map(within),
  };
}

/** Empty sockets: what they could hold is counted. */
async function manySockets() {
  const kept = `
import os, socket, time
for _ in range(12):
    if os.fork() == 0:
        kept = [socket.socketpair() for _ in range(500)]
        time.sleep(15)
        os._exit(0)
for _ in range(12): os.wait()`;
  const outcome = await rig.run(kept, { interpreter: 'python' });
  return outcome.ok ? 'all were opened' : outcome.code;
}

const sockets = await manySockets();
const locks = await behindLocks();
const isUnchanged = JSON.stringify(ledgerOf(rig.root, rig.at('work'))) === JSON.stringify(before);
for (const server of servers) server.close();
rig.remove();
process.stdout.write(
  `${JSON.stringify({ uid: process.geteuid?.(), control, isUnchanged, locks, sockets, ...seen })}\n`,
);
