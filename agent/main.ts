import { keepCompiledCode } from '../src/launch/compile-cache.ts';
import { closeInheritedDescriptors } from '../src/launch/inherited-descriptors.cjs';
import { useSafePath } from '../src/launch/safe-path.ts';

closeInheritedDescriptors();
useSafePath();
keepCompiledCode();
// Loaded after that, so that the second start is fast.
const [{ loadDriver }, { openWebSocket }, { openParentChannel }, { runAgent }] = await Promise.all([
  import('./load-driver.ts'),
  import('./open-web-socket.ts'),
  import('./parent-channel.ts'),
  import('./run-agent.ts'),
]);

runAgent({ parent: openParentChannel(), openLink: openWebSocket, loadDriver });
