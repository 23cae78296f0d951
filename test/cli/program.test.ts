import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { handrail } from './rig.ts';

test('without words the help is shown, with the exit codes', async () => {
  const { code, output, errors } = await handrail([]);
  expect([code, errors]).toEqual([0, '']);
  expect(output).toContain('Exit codes: 0 done, 1 otherwise, 2 wrong usage, 3 denied, 4 expired, 5 failed.');
  for (const { name } of COMMANDS) expect(output).toContain(`  ${name.split(' ')[0]} `);
});

test('the version is that of the package', async () => {
  expect(await handrail(['--version'])).toEqual({ code: 0, output: '1.2.3\n', errors: '' });
});

describe.each(COMMANDS)('handrail $name', ({ name, examples }) => {
  test('has a help with an example, --json, and no colours', async () => {
    const { code, output, errors } = await handrail([...name.split(' '), '--help'], { isTerminal: true });
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('--json');
    expect(output).toContain(`Example:\n  ${examples[0]}`);
    expect(output).not.toContain('\u001b');
  });

  test('refuses an option that does not exist', async () => {
    const { code, output, errors } = await handrail([...name.split(' '), '--nonsense']);
    expect({ code, output, errors }).toEqual({ code: 2, output: '', errors: expect.stringContaining('--nonsense') });
  });
});

test('the help of start lists the settings with their defaults', async () => {
  const { output } = await handrail(['start', '--help']);
  expect(output).toMatch(/HANDRAIL_PORT +port to listen on; 0 picks a free one \(3001\)/);
  expect(output).toMatch(/HANDRAIL_DATA_DIR +folder of the database and the pictures \(\//);
});

test('no command approves or allows anything', () => {
  const words = COMMANDS.flatMap(({ name, options = [] }) => [name, ...options.map(({ flags }) => flags)]);
  expect(words.filter((word) => /allow|approve|decide|confirm|grant/.test(word))).toEqual([]);
});

test.each([
  ['a command that does not exist', ['bogus'], "unknown command 'bogus'"],
  ['an argument that is missing', ['connect'], "missing required argument 'client'"],
  ['an argument too many', ['open', 'one', 'two'], 'too many arguments'],
  ['a shell that is not known', ['completion', 'csh'], 'bash, zsh, fish'],
  ['a file that is missing', ['screenshot'], 'handrail screenshot -o screen.png'],
  ['a format that does not exist', ['screenshot', '-o', 'a.gif', '--format', 'gif'], 'png, jpeg or webp'],
  ['a task that is no JSON', ['task', 'run', '/dev/null'], 'should be JSON'],
  ['a task that is not there', ['task', 'run', '/nowhere.json'], 'cannot be read'],
  ['a number out of range', ['log', '-n', '101'], '1 to 100'],
])('%s is a fault of usage', async (_what, words, why) => {
  expect(await handrail(words)).toEqual({ code: 2, output: '', errors: expect.stringContaining(why) });
});

test.each(['status', 'login', 'pause', 'resume', 'describe', 'watch', 'log', 'access'])(
  'handrail %s says what to do when no daemon runs',
  async (name) => {
    const { code, output, errors } = await handrail([name]);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^handrail: No Handrail runs .* Start it with `handrail start`/);
  },
);

test('a setting that is wrong is named', async () => {
  const { code, errors } = await handrail(['status'], { environment: { HANDRAIL_PORT: 'x' } });
  expect({ code, errors }).toEqual({ code: 1, errors: 'handrail: HANDRAIL_PORT should be 0 to 65535, and is "x".\n' });
});
