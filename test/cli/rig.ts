import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runProgram } from '../../src/cli/program.ts';
import type { Surroundings } from '../../src/cli/surroundings.ts';

export type Ran = { code: number; output: string; errors: string };

/** A home of its own, with nothing in it. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'handrail-cli-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export type World = Partial<Surroundings> & { isTerminal?: boolean; typed?: string; commands?: readonly Command[] };

/** Runs words as the command line does, in this process, and gathers all that it writes. */
export async function handrail(words: readonly string[], world: World = {}): Promise<Ran> {
  const { isTerminal = false, typed, commands = COMMANDS, ...given } = world;
  const home = given.home ?? newHome();
  const written = { output: '', errors: '' };
  const place = (name: keyof typeof written) => ({
    isTTY: isTerminal,
    columns: 100,
    write(text: string | Uint8Array) {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
      return true;
    },
  });
  const input = Object.assign(new PassThrough(), { isTTY: isTerminal });
  if (typed === undefined) input.end();
  else input.write(typed);
  const code = await runProgram(words, {
    commands,
    version: '1.2.3',
    surroundings: {
      environment: { PATH: process.env.PATH, HANDRAIL_DATA_DIR: join(home, 'data'), HANDRAIL_PORT: '0' },
      platform: 'linux',
      home,
      folder: home,
      input,
      output: place('output'),
      errors: place('errors'),
      stopped: new AbortController().signal,
      self: { command: '/opt/node', args: ['/opt/hand rail/dist/daemon/cli.js'] },
      commandFile: '/opt/hand rail/src/launch/handrail.cjs',
      daemon: { command: '/opt/node', args: ['/opt/hand rail/dist/daemon/headless.js'] },
      nowMs: () => 0,
      ...given,
    },
  });
  return { code, ...written };
}
