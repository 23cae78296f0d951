import { enableCompileCache, flushCompileCache } from 'node:module';
import type { Driver } from '../../agent/drivers/driver.ts';
import type { Attempt, Outcome } from '../../agent/drivers/outcome.ts';
import { RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { Transport } from '../../src/contract/transport.ts';
import { takePart } from './blows.ts';

/** The real agent, watched where it meets the link and the desktop. Its argument is the folder with what is to befall it. */
enableCompileCache();
const [{ loadDriver }, { openWebSocket }, { openParentChannel }, { runAgent }] = await Promise.all([
  import('../../agent/load-driver.ts'),
  import('../../agent/open-web-socket.ts'),
  import('../../agent/parent-channel.ts'),
  import('../../agent/run-agent.ts'),
]);
const blows = takePart(String(process.argv[2]), 'agent');

runAgent({
  parent: openParentChannel(),
  openLink: async (url, token) => watchedTransport(await openWebSocket(url, token)),
  loadDriver: async (platform, environment) => watchedDriver(await loadDriver(platform, environment)),
});

function watchedTransport(transport: Transport): Transport {
  return {
    ...transport,
    listen: (receiver) =>
      transport.listen({
        ...receiver,
        text(text) {
          if (text.includes('"method":"action.perform"') && !isQuestion(text)) blows.reach('perform received');
          receiver.text(text);
        },
      }),
  };
}

function watchedDriver(driver: Driver): Driver {
  return {
    platform: driver.platform,
    environment: () => driver.environment(),
    resolveApp: (...call) => driver.resolveApp(...call),
    resolveWindow: (...call) => driver.resolveWindow(...call),
    openApp: (parameters, attempt) => watched(attempt, () => driver.openApp(parameters, attempt)),
    quitApp: (parameters, attempt) => watched(attempt, () => driver.quitApp(parameters, attempt)),
    takeScreenshot: (parameters, attempt) => watched(attempt, () => driver.takeScreenshot(parameters, attempt)),
    describeScreen: (...call) => driver.describeScreen(...call),
    input: () => driver.input(),
    async warmUp() {
      await driver.warmUp();
      // Written at the end of a process otherwise, and this one will be killed.
      flushCompileCache();
    },
    close: () => driver.close(),
  };
}

async function watched<Data>({ signal }: Attempt, work: () => Promise<Outcome<Data>>): Promise<Outcome<Data>> {
  blows.reach('before the effect');
  // What is to befall the daemon while an effect is done and not yet reported finds it like this, however late.
  const isHeld = blows.isNext('after task.cancel_requested') || blows.isNext('a key is used again');
  const outcome = await work();
  blows.reach('after the effect');
  if (isHeld) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return outcome;
}

/** The targets of a step are looked at before there is an attempt of it. */
function isQuestion(text: string): boolean {
  return text.includes(`"actionType":"${RESOLVE_TARGETS}"`);
}
