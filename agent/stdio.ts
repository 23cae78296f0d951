import { ALIVE } from '../src/contract/machine-rules.ts';
import { keepCompiledCode } from '../src/launch/compile-cache.ts';
import { closeInheritedDescriptors } from '../src/launch/inherited-descriptors.cjs';
import { useSafePath } from '../src/launch/safe-path.ts';

/** The agent that `handrail agent --stdio` starts on another machine. */

const output = process.stdout;
// Only the link writes to standard output. Whatever else is printed goes to the log.
Object.defineProperty(process, 'stdout', { get: () => process.stderr });
closeInheritedDescriptors();
useSafePath();
keepCompiledCode();
// Loaded after that, so that the second start is fast.
const [{ loadDriver }, { openStdioChannel }, { runAgent }] = await Promise.all([
  import('./load-driver.ts'),
  import('./stdio-channel.ts'),
  import('./run-agent.ts'),
]);

runAgent({ ...openStdioChannel({ input: process.stdin, output, watcher: process }), loadDriver });
// A process that stands still does not say so, and is ended.
const live = () => process.send?.('alive');
live();
setInterval(live, ALIVE.everyMs).unref();
