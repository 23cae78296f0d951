import type { FailureCode, SideEffect } from '../../src/contract/action.ts';
import type { Failed } from '../drivers/outcome.ts';

type More = { fix?: string; sideEffect?: SideEffect };

export function failed(code: FailureCode, message: string, { fix, sideEffect = 'none' }: More = {}): Failed {
  return { ok: false, code, message, sideEffect, fix };
}

/** Somebody moved, replaced or linked the file after the action was judged. */
export function targetChanged(path: string): Failed {
  const message = `${path} is another file or folder than the one that was judged; nothing was done.`;
  return failed('target_changed', message, { fix: 'Submit it again.' });
}

export function isFailed(value: object): value is Failed {
  return 'ok' in value && value.ok === false;
}

/** Puts an error of the file system into words. */
export function fileFailure(error: unknown, path: string, sideEffect: SideEffect = 'none'): Failed {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const known = code === undefined ? undefined : KNOWN[code];
  if (known === undefined) throw error;
  return failed(known.code, `${path}: ${known.message}`, { sideEffect, fix: known.fix });
}

type Known = { code: FailureCode; message: string; fix?: string };

const PRIVACY = 'On a Mac allow it in System Settings > Privacy & Security > Files & Folders, or Full Disk Access.';
const CHANGED = 'something else is at this path now; nothing was done.';

const KNOWN: Readonly<Record<string, Known>> = {
  ENOENT: { code: 'target_gone', message: 'it is gone.', fix: 'Check the path and submit it again.' },
  ENOTDIR: { code: 'target_changed', message: CHANGED, fix: 'Submit it again.' },
  ELOOP: { code: 'target_changed', message: CHANGED, fix: 'Submit it again.' },
  ENXIO: { code: 'target_changed', message: CHANGED, fix: 'Submit it again.' },
  EISDIR: { code: 'invalid_target', message: 'it is a folder, and this action needs a file.' },
  EEXIST: { code: 'already_exists', message: 'a file with this name exists.', fix: 'Choose another name.' },
  ENOTEMPTY: { code: 'already_exists', message: 'a folder with this name exists.', fix: 'Choose another name.' },
  EACCES: { code: 'permission_missing', message: 'the person at the computer may not do this here.' },
  EPERM: { code: 'permission_missing', message: 'the operating system protects it.', fix: PRIVACY },
  EROFS: { code: 'permission_missing', message: 'the disk can only be read.' },
  ENOSPC: { code: 'too_large', message: 'the disk is full.', fix: 'Free some space and submit it again.' },
  EDQUOT: { code: 'too_large', message: 'the quota of the person is used up.', fix: 'Free some space.' },
  EFBIG: { code: 'too_large', message: 'the disk cannot hold a file of this size.' },
  EXDEV: {
    code: 'not_supported',
    message: 'the two places are on different disks.',
    fix: 'Read it, write it there, then trash the first one.',
  },
  EBUSY: { code: 'busy', message: 'another program holds it.', fix: 'Try again later.' },
  ETXTBSY: { code: 'busy', message: 'it is a program that runs.', fix: 'Try again later.' },
};

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
