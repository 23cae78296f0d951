import { spawn } from 'node:child_process';
import { startVirtualDesktop } from '../../src/agent-host/virtual-desktop/virtual-desktop.ts';

/** Stands for a daemon that is killed: starts a desktop and an app on it, prints the desktop's folder, and stays. */
const desktop = await startVirtualDesktop({ environment: process.env });
if (desktop.state !== 'running') throw new Error(desktop.message);
spawn('xterm', [], { env: { ...process.env, ...desktop.env }, stdio: 'ignore', detached: true });
process.stdout.write(`${desktop.env.XDG_RUNTIME_DIR}\n`);
