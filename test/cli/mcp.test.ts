import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMcpCommand, type RunStdio } from '../../src/cli/commands/mcp.ts';
import { until } from '../desktop/processes.ts';
import { handrail, newHome } from './rig.ts';

/** Stands in for the daemon: notes its pid, listens on the port that it is given, and lives until it is killed. */
const DAEMON = `
const health = ${JSON.stringify({
  status: 'ok',
  service: 'handrail',
  version: '1.2.3',
  uptimeMs: 1,
  instanceId: 'one',
  checks: { overall: 'ok', store: 'ok', agent: 'online', desktop: 'ok', processes: 'ok', scripts: 'available' },
  storage: {
    results: { usedBytes: 0, limitBytes: 1, limitBytesPerUser: 1 },
    artifacts: { usedBytes: 0, limitBytes: 1, limitBytesPerUser: 1 },
    formerVersions: { usedBytes: 0, limitBytes: 1, files: 0, limitFiles: 1 },
  },
})};
const { writeFileSync } = require('node:fs');
require('node:http')
  .createServer((_, response) => response.end(JSON.stringify(health)))
  .listen(0, '127.0.0.1', function () {
    console.error('{"level":30}');
    writeFileSync(process.env.HANDRAIL_DATA_DIR + '/pid', process.pid + ' ' + process.ppid);
    writeFileSync(process.env.HANDRAIL_DATA_DIR + '/port', this.address().port + '\\n');
  });
`;

function rig(script: string) {
  const home = newHome();
  const data = join(home, 'data');
  writeFileSync(join(home, 'daemon.cjs'), script);
  const environment = { PATH: process.env.PATH, HANDRAIL_DATA_DIR: data, HANDRAIL_PORT: '0' };
  const calls: string[] = [];
  const runStdio: RunStdio = async ({ baseUrl, userId, key }) =>
    void calls.push([baseUrl, userId, key].join(' ').trim());
  const commands = [createMcpCommand(async () => ({ runStdio }))];
  const daemon = { command: process.execPath, args: [join(home, 'daemon.cjs')] };
  const run = (more: Record<string, string> = {}) =>
    handrail(['mcp'], { home, environment: { ...environment, ...more }, commands, daemon });
  return { home, data, calls, run };
}

test('mcp starts a daemon where none runs, which outlives it, and passes its address on; a second one finds it', async () => {
  const { data, calls, run } = rig(DAEMON);
  expect(await run()).toEqual({ code: 0, output: '', errors: '' });
  const pid = Number(readFileSync(join(data, 'pid'), 'utf8').split(' ')[0]);
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  const port = readFileSync(join(data, 'port'), 'utf8').trim();
  expect(await run({ HANDRAIL_USER_ID: 'me', HANDRAIL_USER_KEY: 'secret' })).toMatchObject({ code: 0 });
  expect(calls).toEqual([`http://127.0.0.1:${port}`, `http://127.0.0.1:${port} me secret`]);
  // A session of its own: closing the client's terminal does not end it.
  if (process.platform === 'linux') {
    const session = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3];
    expect(Number(session)).toBe(pid);
  }
  expect([statSync(data).mode & 0o777, statSync(join(data, 'handrail.log')).mode & 0o777]).toEqual([0o700, 0o600]);
  await until('the log is in the data directory', () =>
    readFileSync(join(data, 'handrail.log'), 'utf8').includes('"level"'),
  );
});

test('a daemon that does not start is an error that names its log, and the client gets nothing on standard output', async () => {
  const { data, calls, run } = rig("console.error('no room'); process.exit(1)");
  const { code, output, errors } = await run();
  expect({ code, output, errors }).toEqual({
    code: 1,
    output: '',
    errors: `handrail: Handrail did not start. Its log is ${join(data, 'handrail.log')}.\n`,
  });
  expect(calls).toEqual([]);
  expect(readFileSync(join(data, 'handrail.log'), 'utf8')).toBe('no room\n');
});

test('a link in the place of the log is not written through', async () => {
  const { home, data, run } = rig(DAEMON);
  await run().catch(() => undefined);
  const pid = Number(readFileSync(join(data, 'pid'), 'utf8').split(' ')[0]);
  process.kill(pid, 'SIGKILL');
  for (const name of ['handrail.log', 'port']) rmSync(join(data, name));
  writeFileSync(join(home, 'mine'), 'mine');
  symlinkSync(join(home, 'mine'), join(data, 'handrail.log'));
  const { code, errors } = await run();
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('ELOOP') });
  expect(readFileSync(join(home, 'mine'), 'utf8')).toBe('mine');
});
