import { lstatSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The socket in the folder; as long as somebody listens on it, the folder is in use. */
export const BUS_SOCKET = 'bus';

const PREFIX = 'handrail-desktop-';
/** Longer than any start takes: a folder without a socket that is older belongs to no desktop. */
const STARTING_MS = 60_000;

/** A new folder that only the owner can enter. Folders left by processes that were killed are removed. */
export async function createDesktopFolder(): Promise<string> {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  await Promise.allSettled(folders.map((name) => removeIfAbandoned(join(tmpdir(), name))));
  return mkdtempSync(join(tmpdir(), PREFIX));
}

async function removeIfAbandoned(folder: string): Promise<void> {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < STARTING_MS) return;
  if (!(await isAnswered(join(folder, BUS_SOCKET)))) await removeDesktopFolder(folder);
}

/** Apps that outlive their desktop for a moment may still write into the folder. Rejects where it cannot be removed. */
export async function removeDesktopFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function isAnswered(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
