import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'plist';
import { expect, test } from 'vitest';
import { launchdAgent, systemdUnit } from '../../src/cli/service/service.ts';
import { handrail, newHome } from './rig.ts';

const ODD = 'a b "c" %h $HOME \\d';

test('a path with a line end cannot stand in a unit', () => {
  const service = { command: '/bin/x\nExecStart=/bin/evil', args: [], environment: {}, hasDisplay: false };
  expect(() => systemdUnit(service)).toThrow('line end');
});

test('the agent of launchd is a property list with the program, its settings and its log', () => {
  const odd = `${ODD} <&>`;
  const text = launchdAgent({
    command: `/opt/${odd}`,
    args: ['/x.js'],
    environment: { A: odd },
    logFile: `/log/${odd}`,
  });
  expect(parse(text)).toEqual({
    Label: 'dev.handrail.daemon',
    ProgramArguments: [`/opt/${odd}`, '/x.js'],
    EnvironmentVariables: { A: odd },
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ExitTimeOut: 20,
    LimitLoadToSessionType: 'Aqua',
    Umask: 0o077,
    StandardOutPath: `/log/${odd}`,
    StandardErrorPath: `/log/${odd}`,
  });
});

/** A PATH on which `systemctl` and `launchctl` write down how they are called. */
function recorded(home: string, exitCode = 0): { PATH: string; calls(): string[] } {
  const folder = join(home, 'bin');
  const calls = join(home, 'calls');
  mkdirSync(folder);
  for (const name of ['systemctl', 'launchctl'])
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\necho "$(basename "$0") $*" >> '${calls}'\necho refused >&2\nexit ${exitCode}\n`,
      {
        mode: 0o755,
      },
    );
  return {
    PATH: [folder, process.env.PATH].join(delimiter),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
  };
}

const UID = process.getuid?.() ?? 0;

test.each([
  [
    'linux',
    '.config/systemd/user/handrail.service',
    ['systemctl --user daemon-reload', 'systemctl --user enable --now handrail.service'],
    ['systemctl --user disable --now handrail.service'],
  ],
  [
    'darwin',
    'Library/LaunchAgents/dev.handrail.daemon.plist',
    [expect.stringMatching(`^launchctl bootstrap gui/${UID} .*plist$`)],
    [`launchctl bootout gui/${UID}/dev.handrail.daemon`],
  ],
] as const)('on %s it is written and switched on, and taken back', async (platform, file, on, off) => {
  const home = newHome();
  const { PATH, calls } = recorded(home);
  const environment = { PATH, HANDRAIL_PORT: '4000', HANDRAIL_DATA_DIR: join(home, 'data'), SECRET: 'hidden' };
  expect(await handrail(['service', 'install'], { home, platform, environment })).toMatchObject({ code: 0 });
  const content = readFileSync(join(home, file), 'utf8');
  expect(content).toContain('/opt/hand rail/dist/daemon/headless.js');
  expect(content).toContain('4000');
  expect(content).not.toContain('hidden');
  expect(calls()).toEqual(on);
  expect(await handrail(['service', 'uninstall'], { home, platform, environment })).toMatchObject({ code: 0 });
  expect(existsSync(join(home, file))).toBe(false);
  expect(calls().slice(on.length)).toEqual(off);
});

test('--print writes nothing, and an uninstall without a service does nothing', async () => {
  const home = newHome();
  const { PATH, calls } = recorded(home);
  const { code, output } = await handrail(['service', 'install', '--print'], { home, environment: { PATH } });
  expect([code, output]).toEqual([0, expect.stringContaining('[Service]')]);
  expect(existsSync(join(home, '.config'))).toBe(false);
  expect(await handrail(['service', 'uninstall'], { home, environment: { PATH } })).toMatchObject({ code: 0 });
  expect(calls()).toEqual([]);
});

test('a system that refuses is quoted', async () => {
  const home = newHome();
  const { PATH } = recorded(home, 1);
  const { code, errors } = await handrail(['service', 'install'], { home, environment: { PATH } });
  expect({ code, errors }).toEqual({ code: 1, errors: 'handrail: systemctl --user daemon-reload failed: refused\n' });
});

test('another system has no service', async () => {
  const { code, errors } = await handrail(['service', 'install'], { platform: 'win32' });
  expect({ code, errors }).toEqual({ code: 1, errors: 'handrail: There is no service for win32.\n' });
});
