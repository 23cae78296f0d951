import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createMacPrograms } from '../../src/shell/mac-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'handrail-mac-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stand-ins for the programs of macOS: each writes down its arguments and its environment, and ends as its script says. */
function programs(script: string) {
  const logged: string[] = [];
  const program = (name: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${path}.args'\nenv > '${path}.env'\n${script}\n`, {
      mode: 0o755,
    });
    return path;
  };
  const paths = { osascript: program('osascript'), screencapture: program('screencapture') };
  const log = { info: (_fields: object, message: string) => void logged.push(message) };
  return { ...createMacPrograms({ scripts: '/app/scripts', log, ...paths }), logged };
}

const noted = (name: string, what: 'args' | 'env') => readFileSync(join(folder, `${name}.${what}`), 'utf8').split('\n');

describe('the screen as macOS has it', () => {
  test.each([
    ['{"errors":{},"session":{"onConsole":true,"locked":false}}', { locked: false, otherUser: false }],
    ['{"errors":{},"session":{"onConsole":true,"locked":true}}', { locked: true, otherUser: false }],
    ['{"errors":{},"session":{"onConsole":false,"locked":false}}', { locked: false, otherUser: true }],
    ['{"errors":{},"session":null}', undefined],
    ['{"errors":{"session":"no"}}', undefined],
    ['no JSON', undefined],
  ])('%s is read as %j', async (printed, away) => {
    expect(await programs(`echo '${printed}'`).screenNow()).toEqual(away);
  });

  test('is asked for by our script, with nothing of the settings of Node or electron', async () => {
    process.env.ELECTRON_TEST_SETTING = 'x';
    await programs('exit 0').screenNow();
    delete process.env.ELECTRON_TEST_SETTING;
    const args = ['-l', 'JavaScript', '/app/scripts/desktop.js', '{"parts":["session"]}', ''];
    expect(noted('osascript', 'args')).toEqual(args);
    expect(noted('osascript', 'env').filter((line) => /^(ELECTRON|NODE|HANDRAIL)_/.test(line))).toEqual([]);
  });

  test('stays unknown when the program fails, which is logged', async () => {
    const { screenNow, logged } = programs('exit 1');
    expect([await screenNow(), logged]).toEqual([undefined, ['a program of macOS did not answer']]);
  });
});

describe('an attempt to capture', () => {
  test('takes one point into a folder that is then removed', async () => {
    await programs('for last; do :; done; echo picture > "$last"').attemptCapture();
    const args = noted('screencapture', 'args');
    expect(args.slice(0, 4)).toEqual(['-x', '-t', 'png', '-R0,0,1,1']);
    const [picture = ''] = args.slice(4);
    expect([picture.endsWith('/point.png'), existsSync(dirname(picture))]).toEqual([true, false]);
  });

  test('that macOS refuses is no failure', async () => {
    const { attemptCapture, logged } = programs('echo "could not create image from rect" >&2; exit 1');
    await attemptCapture();
    expect(logged).toEqual(['a program of macOS did not answer']);
  });
});
