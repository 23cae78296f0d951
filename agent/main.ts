import { keepCompiledCode } from '../src/compile-cache.ts';
import { closeInheritedDescriptors } from '../src/inherited-descriptors.cjs';

closeInheritedDescriptors();
keepCompiledCode();
// Loaded after that, so that the second start is fast.
const [{ loadDriver }, { openWebSocket }, { runAgent }] = await Promise.all([
  import('./load-driver.ts'),
  import('./open-web-socket.ts'),
  import('./run-agent.ts'),
]);

runAgent({ openLink: openWebSocket, loadDriver });
