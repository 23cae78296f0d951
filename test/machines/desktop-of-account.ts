import { startVirtualDesktop } from '../../src/agent-host/virtual-desktop/virtual-desktop.ts';

/** The desktop of the account that runs this: prints its variables, and ends with standard input. */
const desktop = await startVirtualDesktop({ environment: process.env });
if (desktop.state !== 'running') throw new Error(`${desktop.message} ${desktop.fix}`);
process.stdout.write(`${JSON.stringify(desktop.env)}\n`);
process.stdin.resume().once('end', () => void desktop.close().then(() => process.exit()));
