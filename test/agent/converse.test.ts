import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Conversation, converse } from '../../agent/drivers/converse.ts';
import { until } from '../desktop/processes.ts';

/** A conversation with Node, whose texts and end can be awaited. */
function talk(script: string, { program = process.execPath, environment = {} } = {}) {
  let text = '';
  let hear: () => void = () => undefined;
  let ends = 0;
  const over = Promise.withResolvers<void>();
  const conversation: Conversation = converse(
    { program, args: ['-e', script], environment },
    {
      said: (more) => {
        text += more;
        hear();
      },
      ended: () => {
        ends += 1;
        over.resolve();
      },
    },
  );
  const heard = (wanted: string) =>
    new Promise<void>((resolve) => {
      hear = () => text.includes(wanted) && resolve();
      hear();
    });
  return { ...conversation, heard, text: () => text, over: over.promise, ends: () => ends };
}

const ECHO = 'process.stdin.pipe(process.stdout)';

test('says and hears several times with one process', async () => {
  const one = talk(ECHO);
  one.say('first\n');
  await one.heard('first\n');
  one.say('zweitens: ä\n');
  await one.heard('zweitens: ä\n');
  one.stop();
  await one.over;
  expect([one.text(), one.ends()]).toEqual(['first\nzweitens: ä\n', 1]);
});

test('kills a program that does not end with its input', async () => {
  const one = talk('console.log("here"); setInterval(() => {}, 1000)');
  await one.heard('here');
  one.stop();
  await one.over;
  expect(one.ends()).toBe(1);
});

test('hands over its environment and nothing else of this process', async () => {
  const one = talk('console.log(JSON.stringify(process.env.HOME ?? null), process.env.GIVEN)', {
    environment: { GIVEN: 'yes' },
  });
  await one.over;
  expect(one.text()).toBe('null yes\n');
});

test.each([
  ['does not exist', 'no-such-program-anywhere'],
  ['is not executable', '/etc/passwd'],
  ['has a name that no program can have', 'a\u0000b'],
])('a program that %s has ended, and may be spoken to', async (_why, program) => {
  const one = talk('', { program });
  one.say('hello\n');
  await one.over;
  one.say('hello\n');
  one.stop();
  expect([one.text(), one.ends()]).toEqual(['', 1]);
});

test('a program with a group of its own outlives a kill of the whole group, and sees the end of its input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'converse-'));
  const end = join(folder, 'end');
  const listener = `process.stdin.resume().on('end', () => require('node:fs').writeFileSync(${JSON.stringify(end)}, ''))`;
  const start = JSON.stringify({ program: process.execPath, args: ['-e', `console.log('here');${listener}`] });
  const talker = `
    import { converse } from ${JSON.stringify(new URL('../../agent/drivers/converse.ts', import.meta.url).href)};
    const events = { said: (text) => process.stdout.write(text), ended: () => undefined };
    converse({ ...${start}, environment: {}, hasOwnGroup: true }, events);`;
  const args = ['--input-type=module', '-e', talker];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  await once(child.stdout, 'data');
  process.kill(-Number(child.pid), 'SIGKILL');
  await until('the program saw the end', () => existsSync(end));
  await rm(folder, { recursive: true });
});
