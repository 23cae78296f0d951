import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Refusal } from '../services/refusal.ts';
import type { Connection, FindPeer, Peer } from './peer.ts';

/** Who called, and why nothing is served to them, if so. */
export type Admission = { peer: Peer; refusal?: Refusal };

/**
 * Decides over a connection; `http` asks once for each and keeps the answer as long as the connection lives. Nothing in place of the
 * connection stands for one that ended before its ends were read.
 */
export type PeerGate = (connection: Connection | undefined) => Promise<Admission>;

type Options = {
  find: FindPeer;
  /** The OS users that are served, besides root. */
  served: readonly number[];
  log: { warn(facts: object, message: string): void };
};

const ROOT = 0;

/**
 * Lets in the OS users that are served, and root, who could read and change everything anyway. Where the system does not tell who
 * calls, everybody is let in, and the log says so once.
 */
export function createPeerGate({ find, served, log }: Options): PeerGate {
  let isSaid = false;

  function sayOnce(because: string): void {
    if (isSaid) return;
    isSaid = true;
    log.warn(
      { because },
      'the OS users of callers cannot be told on this system; every program on this machine is served',
    );
  }

  return async (connection) => {
    const peer: Peer = connection === undefined ? { kind: 'gone' } : await find(connection);
    if (peer.kind === 'unknown') sayOnce(peer.because);
    if (peer.kind === 'gone') return { peer, refusal: GONE };
    const isForeign = peer.kind === 'user' && peer.uid !== ROOT && !served.includes(peer.uid); // guard U1-1
    return isForeign ? { peer, refusal: foreign(peer.uid) } : { peer };
  };
}

function foreign(uid: number): Refusal {
  return {
    refused: 'os_user_not_allowed',
    detail: `Handrail serves the OS user that runs it, and this call came from another one (uid ${uid}). To serve that user too, the person starts Handrail with HANDRAIL_ALLOW_OS_USERS=${uid}.`,
  };
}

/**
 * Another OS user could send a request, close the connection at once and so never be identified. Nobody reads this answer; the
 * journal counts it by another name, since an own program may hang up as well.
 */
const GONE: Refusal = {
  refused: 'os_user_not_allowed',
  detail: 'The caller closed its connection before its OS user could be told; nothing was done.',
  countedAs: 'caller_gone',
};

/** A name of an OS user that this machine does not know. */
export class UnknownOsUser extends Error {
  override name = 'UnknownOsUser';
}

/** The uids of OS users that are given by name or uid. */
export function uidsOf(users: readonly string[]): Promise<number[]> {
  return Promise.all(users.map((user) => (/^\d+$/.test(user) ? Number(user) : uidOf(user))));
}

/** Asks the system, which knows more users than `/etc/passwd` has. */
async function uidOf(name: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)('id', ['-u', '--', name]);
    return Number(stdout);
  } catch (cause) {
    throw new UnknownOsUser(`HANDRAIL_ALLOW_OS_USERS names "${name}", and this machine has no such user.`, { cause });
  }
}
