import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const paths = { osascript: program('osascript') };
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

const REQUEST = '{"permission":"screenRecording"}';

describe('the request for Screen Recording', () => {
  test('is made by our script, which takes no picture', async () => {
    await programs('echo \'{"granted":false}\'').requestCapture();
    expect(noted('osascript', 'args')).toEqual(['-l', 'JavaScript', '/app/scripts/request-capture.js', REQUEST, '']);
  });

  test('that macOS refuses is no failure', async () => {
    const { requestCapture, logged } = programs('exit 1');
    await requestCapture();
    expect(logged).toEqual(['a program of macOS did not answer']);
  });
});
