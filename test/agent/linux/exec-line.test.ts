import { expect, test } from 'vitest';
import { commandOf } from '../../../agent/drivers/linux/exec-line.ts';

function command(exec: string | null, icon: string | null = null) {
  return commandOf({ exec, name: 'The App', path: '/x/app.desktop', icon });
}

test.each([
  ['mousepad %U', ['mousepad']],
  ['  vim   %F  ', ['vim']],
  ['/opt/an app/run', ['/opt/an', 'app/run']],
  ['"/opt/an app/run" --new', ['/opt/an app/run', '--new']],
  ['run "a \\"b\\" \\$HOME \\`id\\` \\\\"', ['run', 'a "b" $HOME `id` \\']],
  ['sh -c "exec run \\"\\$@\\""', ['sh', '-c', 'exec run "$@"']],
  ['run ""', ['run', '']],
  ['run --class=%c --from %k', ['run', '--class=The App', '--from', '/x/app.desktop']],
  ['run --file=%f 100%%', ['run', '--file=', '100%']],
  ['run "%%"', ['run', '%']],
  ['run %d %D %n %N %v %m', ['run']],
  ['run $(id) ; rm', ['run', '$(id)', ';', 'rm']],
])('%j is the command %j', (exec, expected) => {
  expect(command(exec)).toEqual(expected);
});

test('an icon is handed over with its option', () => {
  expect(command('run %i', 'org.app')).toEqual(['run', '--icon', 'org.app']);
  expect(command('run %i', null)).toEqual(['run']);
});

test.each([
  ['an open quote', 'run "a b'],
  ['text glued to a quote', 'run "a"b'],
  ['an unknown field code', 'run %x'],
  ['a lone percent sign', 'run %'],
  ['no program', ''],
  ['an empty program', '""'],
  ['nothing but field codes', '%U'],
  ['no Exec at all', null],
])('%s is no command', (_what, exec) => {
  expect(command(exec)).toBeNull();
});
