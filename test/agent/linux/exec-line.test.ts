import { expect, test } from 'vitest';
import { commandOf, takesAddress } from '../../../agent/drivers/linux/desktop-entries.ts';

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

const ADDRESS = 'https://example.org/?a=%U&b=$HOME';

test.each([
  ['chromium %U', ['chromium', ADDRESS]],
  ['firefox --new-tab %u --name %c', ['firefox', '--new-tab', ADDRESS, '--name', 'The App']],
])('%j is told an address as one argument, which is not read again', (exec, expected) => {
  expect(takesAddress({ exec })).toBe(true);
  expect(commandOf({ exec, name: 'The App', path: '/x/app.desktop', icon: null }, ADDRESS)).toEqual(expected);
});

test.each([
  ['has no place for one', 'mousepad'],
  ['takes files', 'mousepad %F'],
  ['has it inside of an argument', 'run --open=%u'],
  ['has it in quotes', 'run "%u"'],
  ['has two places for it', 'run %u %U'],
  ['has nothing else', '%u'],
  ['cannot be read', 'run "%u'],
  ['is started over D-Bus', null],
])('an entry that %s takes no address', (_what, exec) => {
  expect(takesAddress({ exec })).toBe(false);
});
