import { createLinuxApps } from '../../agent/drivers/linux/apps.ts';
import { createDesktopEntries } from '../../agent/drivers/linux/desktop-entries.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';

/** Opens the app named by the first argument, prints what came of it and ends. */
const environment = process.env;
const x11 = createX11(environment);
const entries = createDesktopEntries(environment);
const { openApp } = createLinuxApps({ x11, entries, environment, uniqueId: () => crypto.randomUUID() });
const attempt = { signal: new AbortController().signal, deadlineMs: 30_000 };
const outcome = await openApp({ appName: process.argv[2] ?? '' }, attempt);
process.stdout.write(JSON.stringify(outcome.ok ? outcome.data : outcome));
await x11.close();
