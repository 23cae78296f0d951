import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { beforeEach, expect, test, vi } from 'vitest';
import { createProcessWatch, type ScriptPrograms } from '../../../../agent/scripts/macos/run-on-mac.ts';
import { nodeProgram } from '../../../../agent/scripts/run-in-sandbox.ts';
import { PATIENCE } from '../../../runner/patience.ts';
import { recorded } from '../../macos/recordings.ts';
import { rigOfTest } from '../../rig-of-test.ts';
import { createScriptsRig, ranWell } from '../rig.ts';

let programs: ScriptPrograms;
const rig = rigOfTest(createScriptsRig);

/** Stand-ins that note their arguments: the sandbox then becomes the command, osascript says what it was given. */
beforeEach(() => {
  const standIn = (name: string, lines: readonly string[]) => {
    const path = `${rig.root}/${name}`;
    writeFileSync(path, ['#!/bin/sh', `printf '%s\\0' "$@" > ${rig.root}/${name}.args`, ...lines].join('\n'));
    chmodSync(path, 0o755);
    return path;
  };
  programs = {
    sandboxExec: standIn('sandbox-exec', ['while [ "$1" != -p ]; do shift; done', 'shift 2', 'exec "$@"']),
    osascript: standIn('osascript', ['for file; do :; done', 'echo "osascript: $(cat "$file")"']),
    ps: 'ps',
  };
});

const run = (...args: Parameters<typeof rig.run>) => rig.run(args[0], args[1], { ...args[2] }, { mac: programs });
const argumentsOf = (name: string) => readFileSync(`${rig.root}/${name}.args`, 'utf8').split('\0').slice(0, -1);
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('handrail-script-'));

test('a script runs by sandbox-exec in its folder, with a small environment, and its result is whole', async () => {
  const script = 'echo more >> notes.txt; echo "$GREETING $PWD"; env | cut -d= -f1 | sort | tr "\\n" " "; exit 3';
  const result = ranWell(await run(script, { env: { GREETING: 'hello' } }));
  expect(result).toMatchObject({ exitCode: 3, changedFiles: [{ path: rig.at('work/notes.txt'), change: 'changed' }] });
  const [first, names = ''] = result.stdout.split('\n');
  expect(first).toBe(`hello ${rig.at('work')}`);
  expect(names.split(' ').filter((name) => !['_', 'OLDPWD', 'SHLVL', 'PWD', ''].includes(name))).toEqual([
    ...['GREETING', 'HOME', 'LANG', 'PATH', 'PYTHONDONTWRITEBYTECODE', 'TMPDIR'],
  ]);
  const given = argumentsOf('sandbox-exec');
  expect(given).toContain(`PATH_2=${rig.at('work')}`);
  expect(given[given.indexOf('-p') + 1]).toMatch(/^\(version 1\)\n\(deny default\)\n/u);
  expect(leftovers()).toEqual([]);
});

test.each([
  ['applescript', []],
  ['javascript', ['-l', 'JavaScript']],
] as const)('%s runs by osascript, outside of the sandbox', async (interpreter, flags) => {
  expect(ranWell(await run('tell app "Finder"', { interpreter })).stdout).toBe('osascript: tell app "Finder"\n');
  expect(argumentsOf('osascript')).toEqual([...flags, expect.stringMatching(/\/handrail-script-\w+\/script$/u)]);
  expect(existsSync(`${rig.root}/sandbox-exec.args`)).toBe(false);
});

test.each([
  { interpreter: 'applescript', denied: recorded('osascript-automation-denied'), isNamed: true },
  { interpreter: 'applescript', denied: recorded('osascript-script-error'), isNamed: false },
  { interpreter: 'sh', denied: recorded('osascript-automation-denied'), isNamed: false },
] as const)('$interpreter that ends with $denied: the result names Automation: $isNamed', async (told) => {
  const { interpreter, denied, isNamed } = told;
  writeFileSync(`${rig.root}/denied`, denied);
  const fail = `cat ${rig.root}/denied >&2; exit 1`;
  writeFileSync(programs.osascript, `#!/bin/sh\n${fail}\n`);
  const script = interpreter === 'sh' ? `printf '%s' '${denied.trim()}' >&2; exit 1` : 'tell app "Finder" to beep';
  const result = await run(script, { interpreter });
  expect(result).toMatchObject({ ok: true, data: { exitCode: 1 } });
  const remedy = /Automation \(error −1743\).*System Settings → Privacy & Security → Automation/u;
  expect(remedy.test('details' in result ? String(result.details) : '')).toBe(isNamed);
});

test('a node script without Node says what is missing, and runs nothing', async () => {
  const system = { mac: programs, node: null };
  expect(await rig.run('0', { interpreter: 'node' }, {}, system)).toMatchObject({
    code: 'not_supported',
    message: expect.stringContaining('node scripts need Node.js, and it is at none of /opt/homebrew/bin/node'),
    sideEffect: 'none',
  });
  expect(existsSync(`${rig.root}/sandbox-exec.args`)).toBe(false);
  const inElectron = '/Applications/Handrail.app/Contents/MacOS/Handrail';
  expect(nodeProgram(inElectron, [`${rig.root}/absent`, programs.osascript])).toBe(programs.osascript);
  expect(nodeProgram(inElectron, [`${rig.root}/absent`])).toBeNull();
  expect(nodeProgram('/opt/node/bin/node', [])).toBe('/opt/node/bin/node');
});

test('without sandbox-exec nothing runs', async () => {
  programs = { ...programs, sandboxExec: `${rig.root}/absent` };
  expect(await run('echo x > ran')).toMatchObject({ ok: false, code: 'sandbox_unavailable', sideEffect: 'none' });
  expect(rig.has('work/ran')).toBe(false);
});

test('a profile that sandbox-exec refuses runs nothing, and its words are the reason', async () => {
  writeFileSync(programs.sandboxExec, '#!/bin/sh\necho "sandbox-exec: unbound variable" >&2\nexit 65');
  expect(await run('echo x > ran')).toMatchObject({
    code: 'sandbox_unavailable',
    message: expect.stringContaining('unbound variable'),
  });
});

test('a folder that was replaced after it was judged is refused', async () => {
  const judged = await rig.judged('~/work');
  renameSync(rig.at('work'), rig.at('former'));
  renameSync(rig.at('private'), rig.at('work'));
  const parameters = { interpreter: 'sh' as const, folder: '~/work', script: 'touch ran' };
  expect(await rig.perform(parameters, judged, {}, { mac: programs })).toMatchObject({ code: 'target_changed' });
});

test.each(['the end of the script', 'cancel'])('a process that leaves its group ends on %s', async (end) => {
  const controller = new AbortController();
  const last = end === 'cancel' ? 'sleep 300' : 'sleep 1';
  // It keeps its parent for a moment, as a look needs to see it once.
  const script = `setsid sh -c 'echo $$ > pid; exec sleep 300' & touch begun; ${last}`;
  const outcome = run(script, {}, { signal: controller.signal });
  // The file is there before its contents are.
  await vi.waitFor(() => expect(rig.read('work/pid')).toMatch(/^\d+\n$/), PATIENCE);
  const pid = rig.read('work/pid').trim();
  if (end === 'cancel') controller.abort('user');
  expect((await outcome).ok).toBe(end !== 'cancel');
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), PATIENCE);
});

test('the network is the port of a proxy with a password, and that port is the only one of the profile', async () => {
  const server = createServer((_asked, answer) => answer.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const internet = { addressesOf: async () => ['127.0.0.1'], mayReach: () => true };
  const script = `curl -sS http://allowed.test:${port}/; echo; echo "$HTTP_PROXY"`;
  const more = { network: [`allowed.test:${port}`] };
  const result = ranWell(await rig.run(script, more, {}, { mac: programs, internet }));
  const [body, proxy = ''] = result.stdout.split('\n');
  expect([body, result.network?.reached]).toEqual(['hello', [`allowed.test:${port}`]]);
  expect(proxy).toMatch(/^http:\/\/handrail:[\w-]{32,}@127\.0\.0\.1:\d+$/u);
  const profile = argumentsOf('sandbox-exec').at(argumentsOf('sandbox-exec').indexOf('-p') + 1);
  expect(profile?.match(/network.*/gu)).toEqual([`network-outbound (remote tcp "localhost:${new URL(proxy).port}"))`]);
  server.close();
});

test('the processes of a script are followed when their parents end, and an id that has ended is forgotten', () => {
  const watch = createProcessWatch(10);
  expect(watch.look(' 10 1 100\n 11 10 200\n 12 11 300\n 99 1 400\n')).toEqual({ pids: [10, 11, 12], bytes: 614_400 });
  expect(watch.look('12 1 300\n13 12 1\n99 1 400\n').pids).toEqual([12, 13]);
  expect(watch.look('12 1 5\nnonsense\n').pids).toEqual([12]);
  expect(watch.look('13 1 5\n').pids).toEqual([]);
});
