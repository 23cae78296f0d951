import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Exchanges two names in the system, with no moment in which one of them is missing, until its input ends. Then prints the number of rounds. */
const EXCHANGE = `
import ctypes, select, sys
libc = ctypes.CDLL(None, use_errno=True)
one, other = (name.encode() for name in sys.argv[1:3])
print('ready', flush=True)
rounds = 0
while rounds % 50 or not select.select([sys.stdin], [], [], 0)[0]:
    if libc.renameat2(-100, one, -100, other, 2) != 0:
        sys.exit(1)
    rounds += 1
print(rounds, flush=True)
`;

/** Starts a program that exchanges two names in a tight loop. `end` answers how often it did. */
export async function startSwapping(one: string, other: string): Promise<{ end(): Promise<number>; stop(): void }> {
  const child: ChildProcess = spawn('python3', ['-c', EXCHANGE, one, other], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout?.on('data', (piece: Buffer) => {
    printed += piece.toString();
  });
  if (child.stdout !== null) await once(child.stdout, 'data');
  return {
    stop: () => child.kill(),
    async end() {
      child.stdin?.end();
      await once(child, 'close');
      return Number(printed.split('\n')[1]);
    },
  };
}
