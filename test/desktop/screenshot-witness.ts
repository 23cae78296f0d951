import { createLinuxScreenshot } from '../../agent/drivers/linux/screenshot.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';

/** A process that takes a screenshot on the desktop each message names, so that a test sees whether it survives. */
const takeScreenshot = createLinuxScreenshot({ x11: createX11(process.env) });

process.on('message', async (env: Record<string, string>) => {
  Object.assign(process.env, env);
  const outcome = await takeScreenshot({}, { signal: new AbortController().signal, deadlineMs: 20_000 });
  process.send?.(outcome.ok ? { details: outcome.details } : outcome);
});
