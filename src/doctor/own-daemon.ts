import { accessSync, constants, existsSync, lstatSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { findRunningDaemon } from '../own-daemon/running-daemon.ts';
import { RUNS_AS_ROOT, type Settings } from '../own-daemon/settings.ts';
import type { Finding } from './finding.ts';

const DATA_DIRECTORY = 'data directory';
const LEAST_FREE_BYTES = 200_000_000;
const ELSEWHERE = 'set HANDRAIL_DATA_DIR to a folder that is yours';

/** Whether the data directory is private and can be written to, or can be made. Makes nothing. */
export function checkDataDirectory(path: string): Finding[] {
  const fault = isThere(path) ? faultOf(path) : faultOfMaking(path);
  if (fault !== undefined) return [{ check: DATA_DIRECTORY, state: 'problem', ...fault }];
  const place = existsSync(path) ? path : parentThatExists(path);
  const { bavail, bsize } = statfsSync(place);
  const freeBytes = bavail * bsize;
  if (freeBytes < LEAST_FREE_BYTES)
    return [
      {
        check: DATA_DIRECTORY,
        state: 'problem',
        message: `The disk of ${path} has ${Math.floor(freeBytes / 1_000_000)} MB left.`,
        remedy: 'Make room: Handrail keeps pictures and its journal there.',
      },
    ];
  return [{ check: DATA_DIRECTORY, state: 'good', message: path }];
}

type Fault = Pick<Finding, 'message' | 'remedy'>;

function faultOf(path: string): Fault | undefined {
  const facts = lstatSync(path);
  if (facts.isSymbolicLink())
    return { message: `${path} is a symbolic link.`, remedy: `Move it away, or ${ELSEWHERE}.` };
  if (!facts.isDirectory()) return { message: `${path} is no folder.`, remedy: `Move it away, or ${ELSEWHERE}.` };
  if (facts.uid !== process.getuid?.())
    return {
      message: `${path} belongs to another OS user (uid ${facts.uid}).`,
      remedy: `Start as that user, or ${ELSEWHERE}.`,
    };
  if (!isWritable(path)) return { message: `${path} cannot be written to.`, remedy: `chmod u+rwx '${path}'` };
  return undefined;
}

function faultOfMaking(path: string): Fault | undefined {
  const parent = parentThatExists(path);
  if (lstatSync(parent).isDirectory() && isWritable(parent)) return undefined;
  return { message: `${path} cannot be made in ${parent}.`, remedy: `Make it yourself, or ${ELSEWHERE}.` };
}

function parentThatExists(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) ? parent : parentThatExists(parent);
}

/** Also a link that leads nowhere is there. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file stands where a folder should be, or the folder may not be looked into.
    return false;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const PORT = 'port';
const ADDRESS = '127.0.0.1';

/** Whether Handrail can listen, or does already. */
export async function checkPort(settings: Pick<Settings, 'port' | 'dataDirectory'>): Promise<Finding[]> {
  const running = await findRunningDaemon(settings);
  if (running !== undefined)
    return [{ check: PORT, state: 'good', message: `Handrail runs already at ${running.dashboardAddress}` }];
  const { port } = settings;
  const fault = await faultOfListening(port);
  if (fault === undefined)
    return [{ check: PORT, state: 'good', message: port === 0 ? 'any free port' : `port ${port} is free` }];
  const isTaken = fault === 'EADDRINUSE';
  return [
    {
      check: PORT,
      state: 'problem',
      message: isTaken ? `Another program has port ${port}.` : `Port ${port} cannot be used (${fault}).`,
      remedy: `${isTaken ? 'End that program, or set' : 'Set'} HANDRAIL_PORT to another port, such as ${port === 3002 ? 3003 : 3002}.`,
    },
  ];
}

/** Listens for a moment. The code of the fault, or undefined. */
function faultOfListening(port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    server.listen(port, ADDRESS, () => server.close(() => resolve(undefined)));
  });
}

/** The system user whose rights each action has. */
export function checkUser({ asRoot }: { asRoot: boolean }): Finding[] {
  if (!asRoot) return [{ check: 'user', state: 'good', message: 'not root' }];
  const remedy = 'Start it as the user who sits at the desktop.';
  return [{ check: 'user', state: 'note', message: RUNS_AS_ROOT, remedy }];
}
