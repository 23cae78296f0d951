import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A program of the name `ssh` that does what a test wants, alone on PATH with the usual programs. */
export type FakeSsh = {
  environment: NodeJS.ProcessEnv;
  /** Where the program is. */
  folder: string;
  /** The arguments with which it was started last. */
  words(): string[];
};

/** `script` is of `sh`; the arguments are those of `ssh`. */
export function fakeSsh(script: string, whenDone: (clean: () => void) => void = onTestFinished): FakeSsh {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-ssh-'));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  const words = join(folder, 'words');
  writeFileSync(join(folder, 'ssh'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${words}'\n${script}\n`);
  chmodSync(join(folder, 'ssh'), 0o755);
  return {
    folder,
    environment: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder },
    words: () => readFileSync(words, 'utf8').trimEnd().split('\n'),
  };
}
