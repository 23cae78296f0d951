import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareOf } from '../runner/share.ts';
import { createOlderMachine, type OlderMachine } from './older-machine.ts';

const MINUTE = 60_000;

const VERSIONS = [
  { npm: '10.8.2', node: '20.20.2' },
  { npm: '10.9.9', node: '18.20.8' },
];

describe.each(shareOf(VERSIONS, VERSIONS.length))(
  'with npm $npm on Node $node, without a compiler and Python, in a folder with a space,',
  (versions) => {
    let machine: OlderMachine;

    beforeAll(async () => {
      machine = await createOlderMachine(versions);
    }, 5 * MINUTE);

    afterAll(() => machine.remove(), 5 * MINUTE);

    test('npm ci succeeds, and runs no command of a dependency', { timeout: 10 * MINUTE }, async () => {
      expect((await machine.npm(['--version'])).output).toBe(`${versions.npm}\n`);
      const { code, output } = await machine.npm(['ci']);
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('added ') });
      expect(machine.logs()).toContain('info ok');
      expect(machine.logs()).not.toMatch(/info run |node-gyp rebuild/);
      expect(existsSync(join(machine.clone, 'node_modules/better-sqlite3/build'))).toBe(false);
    });

    test('npm start serves the page, and ends with code 0 on SIGTERM', { timeout: 5 * MINUTE }, async () => {
      const settings = { HANDRAIL_PORT: '0', HANDRAIL_DATA_DIR: machine.folder('data') };
      const { child, firstLine, exited } = await machine.begin(['--silent', 'start'], settings);
      const base = firstLine.replace('handrail listening on ', '');
      const health = await fetch(`${base}/health`);
      expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ status: 'ok' })]);
      const page = await fetch(`${base}/`);
      const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
      expect([page.status, (await fetch(new URL(script, base))).status]).toEqual([200, 200]);
      child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      await expect(fetch(`${base}/health`)).rejects.toThrow();
    });

    test('npm run audit verifies the journal of that daemon', { timeout: 5 * MINUTE }, async () => {
      const settings = { HANDRAIL_DATA_DIR: join(machine.clone, '../data') };
      const { code, output } = await machine.npm(['--silent', 'run', 'audit'], settings);
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/: \d+ rows verified in /) });
    });

    test('npm run pack gives one package, and npx runs it in an empty folder', { timeout: 10 * MINUTE }, async () => {
      const folder = machine.folder('an empty folder');
      const packed = await machine.npm(['run', '--silent', 'pack', '--', '--pack-destination', folder]);
      expect(packed).toMatchObject({ code: 0 });
      const [archive = ''] = readdirSync(folder);
      expect(archive).toMatch(/^handrail-.*\.tgz$/);
      // npx looks for an installed one first, in a folder that the Node of this machine does not bring.
      const prefix = machine.folder('prefix');
      mkdirSync(join(prefix, 'lib'));
      const settings = { HANDRAIL_PORT: '0', HANDRAIL_DATA_DIR: join(prefix, 'data'), npm_config_prefix: prefix };
      const npx = (...words: string[]) =>
        machine.npm(['exec', '--yes', '--silent', `./${archive}`, '--', ...words], settings, folder);
      const { version } = JSON.parse(readFileSync(join(machine.clone, 'package.json'), 'utf8'));
      expect(await npx('--version')).toEqual({ code: 0, output: `${version}\n` });
      const { code, output } = await npx('doctor', '--json');
      const checks = JSON.parse(output).map(({ check }: { check: string }) => check);
      expect([code, checks]).toEqual([1, expect.arrayContaining(['display', 'port', 'sandbox', 'data directory'])]);
      expect(readdirSync(folder)).toEqual([archive]);
    });
  },
);
