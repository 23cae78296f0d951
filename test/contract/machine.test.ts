import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import {
  AgentCommand,
  MachineAddress,
  MachineDisplay,
  MachineName,
  remoteCommandOf,
} from '../../src/contract/machine.ts';

const ROWS: [name: string, schema: TSchema, good: string[], bad: string[]][] = [
  [
    'name',
    MachineName,
    ['studio', 'a', 'box-2', 'locals', `a${'b'.repeat(31)}`],
    ['local', 'Studio', '2box', '-a', '', `a${'b'.repeat(32)}`, 'a\n'],
  ],
  [
    'address',
    MachineAddress,
    ['studio', 'ann@studio.lan', '192.168.1.7', 'a_b.c-d@h-1', '::1', 'ann@fe80::1%eth0'],
    [
      '-oProxyCommand=x',
      'ann@-oProxyCommand=x',
      '-l@host',
      'a b',
      'a;b',
      'a@b@c',
      '$(x)',
      'ssh://h',
      'h:22/',
      '@h',
      'ann@',
      '',
      'h\n',
      `h${'o'.repeat(255)}`,
    ],
  ],
  [
    'command',
    AgentCommand,
    ['handrail', '/opt/handrail/bin/handrail', '~/.npm-global/bin/handrail'],
    ['other', 'bin/handrail', '~ann/handrail', '/opt/a b', '/opt/$(x)', '/opt/a;b', "/opt/a'b", '-x', '', '/x\n'],
  ],
  ['display', MachineDisplay, [':0', ':12'], ['0', ':', ':0.1', ':0;x', 'host:0', ' :0']],
];

test.each(ROWS)('the %s of a machine carries no option of ssh and nothing for a shell', (_name, schema, good, bad) => {
  const checked = Compile(schema);
  expect(good.filter((text) => !checked.Check(text))).toEqual([]);
  expect(bad.filter((text) => checked.Check(text))).toEqual([]);
});

test.each([
  [{}, 'handrail agent --stdio'],
  [{ agentCommand: '~/bin/handrail', display: ':1' }, '~/bin/handrail agent --stdio --display :1'],
])('what ssh runs on the machine %j', (machine, command) => {
  expect(remoteCommandOf(machine)).toBe(command);
});
