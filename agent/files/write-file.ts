import { createHash, hash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  type FileHandle,
  link,
  lstat,
  open,
  opendir,
  rename,
  unlink,
  writeFile as writeBytes,
} from 'node:fs/promises';
import { join } from 'node:path';
import {
  MAX_FORMER_BYTES,
  type OverwrittenFile,
  type ResolvedPath,
  type WriteFileParameters,
  type WrittenFile,
} from '../../src/contract/files.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { stoppedFailure } from '../drivers/stopping.ts';
import { type AnchoredFolder, identityOf, isSame } from './anchored-folder.ts';
import { failed, fileFailure, isFailed, targetChanged } from './failures.ts';
import { judgedPath, openJudged, openParent, permissionsOf } from './judged-file.ts';

const NEW_FILE_MODE = 0o644;

export type Place = { folder: AnchoredFolder; name: string };

/**
 * Writes a file whole: to a new file beside it, which then takes its name. A crash leaves the former file or the new one, never
 * half of each. The former version is copied first and kept for a day, or until newer ones need its space.
 */
export async function writeFile(parameters: WriteFileParameters, attempt: Attempt): Promise<Outcome<WrittenFile>> {
  const judged = judgedPath(attempt, parameters.path);
  if (isFailed(judged)) return judged;
  if (judged.kind === 'folder') return failed('invalid_target', `${judged.realPath} is a folder.`);
  if (judged.kind === 'file' && parameters.overwrite !== true) return exists(judged.realPath);
  try {
    const bytes = await contentsOf(parameters, attempt);
    if (isFailed(bytes)) return bytes;
    const place = await openParent(judged);
    if (isFailed(place)) return place;
    return await write({ judged, place, bytes, parameters }, attempt).finally(() => place.folder.close());
  } catch (error) {
    return fileFailure(error, judged.realPath);
  }
}

type Work = { judged: ResolvedPath; place: Place; bytes: Buffer; parameters: WriteFileParameters };

/** No write takes as long as this, so a temporary file of this age was left by an agent that was killed. */
const LEFT_AFTER_MS = 10 * 60_000;
/** A folder may hold very many files, and a write must not wait for a look at all of them. */
const MOST_LOOKED_AT = 5_000;

const NAME = /^\.handrail-([0-9a-f]{16})-([0-9a-f]{16})\.tmp$/;

/** The path of a file that does not exist yet, in a folder. Its name says that we made it. */
export function temporaryIn(folder: AnchoredFolder): string {
  const token = randomBytes(8).toString('hex');
  return folder.at(`.handrail-${token}-${markOf(token)}.tmp`);
}

/** The second half of a name follows from the first, so that no file of another program is taken for ours. */
function markOf(token: string): string {
  return hash('sha256', `handrail temporary file ${token}`).slice(0, 16);
}

function isOurs(name: string): boolean {
  const [, token = '', mark] = NAME.exec(name) ?? [];
  return mark === markOf(token);
}

/** Removes temporary files that an agent which was killed left in a folder. A failure keeps nobody from anything. */
async function removeLeftovers(folder: AnchoredFolder, nowMs: number): Promise<void> {
  try {
    for (const name of await namesOfOurs(folder)) await removeOld(folder.at(name), nowMs);
  } catch {
    // A leftover that stays does no harm; the next write tries again.
  }
}

async function namesOfOurs(folder: AnchoredFolder): Promise<string[]> {
  const names: string[] = [];
  let looked = 0;
  for await (const { name } of await opendir(folder.path)) {
    looked += 1;
    if (looked > MOST_LOOKED_AT) break;
    if (isOurs(name)) names.push(name);
  }
  return names;
}

/** A link or a folder of such a name was not made by us. `unlink` removes the name alone, and follows no link. */
async function removeOld(path: string, nowMs: number): Promise<void> {
  const facts = await lstat(path);
  const isLeft = facts.isFile() && facts.uid === process.geteuid?.() && nowMs - facts.mtimeMs > LEFT_AFTER_MS;
  if (isLeft) await unlink(path);
}

async function write({ judged, place, bytes, parameters }: Work, attempt: Attempt): Promise<Outcome<WrittenFile>> {
  const former = judged.kind === 'file' ? await keepFormer(judged, parameters, attempt) : undefined;
  if (former !== undefined && isFailed(former)) return former;
  const { folder, name } = place;
  const temporary = temporaryIn(folder);
  try {
    await writeNew(temporary, bytes, former?.mode ?? NEW_FILE_MODE & ~process.umask());
    if (attempt.signal.aborted) return stoppedFailure(attempt.signal, 'none');
    if (former === undefined) await link(temporary, folder.at(name));
    // guard E2-17
    else if (await isAnother(place, judged)) return targetChanged(judged.realPath);
    else await rename(temporary, folder.at(name));
  } finally {
    await unlink(temporary).catch(() => undefined); // guard F7-1
  }
  await folder.sync();
  await removeLeftovers(folder, Date.now());
  return written(judged, { bytes, place, former });
}

async function writeNew(path: string, bytes: Buffer, mode: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(path, flags, 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The kept version: its permissions, which file it was, and its hash. */
type Former = OverwrittenFile['former'];

const PIECE_BYTES = 1024 * 1024;

/** SHA-256 of an open file, as 64 hexadecimal digits. */
export async function sha256Of(handle: FileHandle): Promise<string> {
  const digest = createHash('sha256');
  const { size } = await handle.stat();
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) break;
    digest.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return digest.digest('hex');
}

/** The same of the file at a path, which must be no link. */
export async function sha256At(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  return sha256Of(handle).finally(() => handle.close());
}

/** Copies the file as it is now into the folder for former versions, after its hash was compared with the expected one. */
async function keepFormer(
  judged: ResolvedPath,
  { expectedSha256 }: WriteFileParameters,
  { keepAt }: Attempt,
): Promise<Former | Failed> {
  const handle = await openJudged(judged);
  if (isFailed(handle)) return handle;
  try {
    const facts = await handle.stat({ bigint: true });
    if (expectedSha256 !== undefined && (await sha256Of(handle)) !== expectedSha256)
      return failed('target_changed', `${judged.realPath} has other contents than expectedSha256; nothing was done.`);
    if (facts.size > MAX_FORMER_BYTES)
      return failed('too_large', `${judged.realPath} is too large to keep a copy of it, so it stays as it is.`, {
        fix: 'Move it away first, then write a new file.',
      });
    if (keepAt === undefined) return failed('internal_error', 'Nobody said where to keep the former version.');
    await copyOpened(handle, keepAt);
    return { mode: permissionsOf(facts), identity: identityOf(facts), sha256: await sha256At(keepAt) };
  } finally {
    await handle.close();
  }
}

/** Copies an open file, so that a file that takes its name meanwhile is not copied in its place. */
async function copyOpened(handle: FileHandle, to: string): Promise<void> {
  if (process.platform === 'linux')
    await copyFile(join('/proc/self/fd', String(handle.fd)), to, constants.COPYFILE_EXCL);
  else await writeBytes(to, handle.createReadStream({ start: 0, autoClose: false }), { flag: 'wx', mode: 0o600 });
  await chmod(to, 0o600);
}

async function isAnother({ folder, name }: Place, judged: ResolvedPath): Promise<boolean> {
  const facts = await folder.look(name).catch(() => undefined);
  return facts === undefined || !isSame(identityOf(facts), judged.identity);
}

type Writing = { bytes: Buffer; place: Place; former: Former | undefined };

/** Reads the file back: only what is on the disk counts as written. */
async function written(judged: ResolvedPath, { bytes, place, former }: Writing): Promise<Outcome<WrittenFile>> {
  const { realPath: path, folder } = judged;
  const handle = await place.folder.open(place.name, constants.O_RDONLY);
  const [identity, sha256] = await Promise.all([
    handle.stat({ bigint: true }).then(identityOf),
    sha256Of(handle),
  ]).finally(() => handle.close());
  const isConfirmed = sha256 === hash('sha256', bytes, 'hex'); // guard E2-18
  const details = `${former === undefined ? 'Created' : 'Overwrote'} ${path} with ${bytes.length} bytes.`;
  const data = { path, sizeBytes: bytes.length, sha256, created: former === undefined };
  const effect = isConfirmed ? 'confirmed' : 'unverified';
  if (former === undefined) return { ok: true, details, effect, data };
  return {
    ok: true,
    details,
    effect,
    data,
    undo: { kind: 'overwritten', path, folder, left: { identity, sha256 }, former },
  };
}

/** The new contents: the text of the parameters, or the artifact that the daemon names and whose hash it knows. */
async function contentsOf({ content }: WriteFileParameters, { contents }: Attempt): Promise<Buffer | Failed> {
  if (content !== undefined) return Buffer.from(content, 'utf8');
  if (contents === undefined) return failed('target_gone', 'The artifact is not kept any longer; nothing was done.');
  const handle = await open(contents.path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const bytes = await handle.readFile().finally(() => handle.close());
  if (hash('sha256', bytes, 'hex') === contents.sha256) return bytes;
  return failed('target_changed', 'The artifact is not as it was stored; nothing was done.');
}

function exists(realPath: string): Failed {
  const fix = 'Choose another name, or give `overwrite: true`.';
  return failed('already_exists', `${realPath} exists; nothing was done.`, { fix });
}
