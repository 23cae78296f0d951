import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');

/** All that a shell finds on PATH. A compiler, make and Python are not among it. */
const PROGRAMS = ['sh', 'env', 'ps'];
const COPIED_NOT = ['node_modules', '.git', 'dist', '.vite'];

export type OlderMachine = {
  /** A clone of the project, in a folder with a space. Nothing is installed in it yet. */
  clone: string;
  /** Runs npm to its end, in the clone or in another folder. */
  npm(words: readonly string[], settings?: Record<string, string>, folder?: string): Promise<Ended>;
  /** Starts npm and resolves with its first line on standard output. */
  begin(words: readonly string[], settings: Record<string, string>): Promise<Begun>;
  /** The text of npm's own logs. npm notes every command of a package there. */
  logs(): string;
  /** A new folder that is removed with the machine. */
  folder(name: string): string;
  remove(): void;
};

type Ended = { code: number | null; output: string };
type Begun = { child: ChildProcess; firstLine: string; exited: Promise<unknown[]> };

/** A machine with this npm and this Node, both fetched from the registry, and without build tools. */
export async function createOlderMachine(versions: { npm: string; node: string }): Promise<OlderMachine> {
  const top = mkdtempSync(join(tmpdir(), 'handrail-install-'));
  const path = await createPath(top, versions);
  const clone = join(top, 'hand rail');
  cpSync(ROOT, clone, { recursive: true, filter: (from) => !COPIED_NOT.includes(basename(from)) });
  const logs = join(top, 'logs');
  const start = (words: readonly string[], settings: Record<string, string>, folder = clone) =>
    spawn('npm', words, {
      cwd: folder,
      env: { ...ownEnvironment(), PATH: path, npm_config_logs_dir: logs, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    clone,
    async npm(words, settings = {}, folder = clone) {
      const child = start(words, settings, folder);
      const output = collected(child);
      const [code] = await once(child, 'close');
      return { code, output: output() };
    },
    async begin(words, settings) {
      const child = start(words, settings);
      const output = collected(child);
      const exited = once(child, 'exit');
      const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited]);
      if (typeof line !== 'string') throw new Error(`npm ended with code ${line} before it was ready:\n${output()}`);
      return { child, firstLine: line, exited };
    },
    logs: () =>
      readdirSync(logs)
        .map((name) => readFileSync(join(logs, name), 'utf8'))
        .join('\n'),
    folder(name) {
      mkdirSync(join(top, name));
      return join(top, name);
    },
    remove: () => rmSync(top, { recursive: true }),
  };
}

/** Makes the folder that is the whole PATH of the machine. */
async function createPath(top: string, { npm, node }: { npm: string; node: string }): Promise<string> {
  const tools = join(top, 'tools');
  const nodePackage = `node-${process.platform}-${process.arch}`;
  await install(tools, [`npm@${npm}`, `${nodePackage}@${node}`]);
  const path = join(top, 'bin');
  mkdirSync(path);
  const npmProgram = join(tools, 'node_modules/npm/bin/npm-cli.js');
  chmodSync(npmProgram, 0o755);
  symlinkSync(npmProgram, join(path, 'npm'));
  symlinkSync(join(tools, 'node_modules', nodePackage, 'bin/node'), join(path, 'node'));
  for (const name of PROGRAMS) symlinkSync(join('/usr/bin', name), join(path, name));
  return path;
}

/** Installs packages into a folder of their own, with the npm of the machine that runs the tests. */
async function install(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(folder);
  const child = spawn('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-save', ...packages], {
    cwd: folder,
    env: { ...ownEnvironment(), PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collected(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${packages.join(' and ')} cannot be installed:\n${output()}`);
}

/** The environment of a login shell, with the settings that reach the registry. The npm that runs the tests adds others. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = /^(HOME|LANG|TMPDIR|.*_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|npm_config_(registry|cafile|cache))$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)));
}

function collected(child: ChildProcess): () => string {
  let text = '';
  const add = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return () => text;
}
