import { CommandError } from '../command.ts';
import type { Program } from '../surroundings.ts';

type Service = Program & { environment: Readonly<Record<string, string>>; hasDisplay: boolean };

/** A unit for the person's own systemd. It waits for the graphical session where the person has one. */
export function systemdUnit({ command, args, environment, hasDisplay }: Service): string {
  const session = hasDisplay ? 'graphical-session.target' : 'default.target';
  return [
    '[Unit]',
    'Description=Handrail: hands for scripts and agents on this desktop, under your eyes',
    ...(hasDisplay ? ['PartOf=graphical-session.target', 'After=graphical-session.target'] : []),
    '',
    '[Service]',
    `ExecStart=${[program(command), ...args.map(argument)].join(' ')}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    'Restart=on-failure',
    'RestartSec=5',
    // The daemon hands back what waits within ten seconds.
    'TimeoutStopSec=20',
    'UMask=0077',
    '',
    '[Install]',
    `WantedBy=${session}`,
    '',
  ].join('\n');
}

/** systemd takes no quotes and no backslash in the path of a program, and reads no `$` there. */
function program(path: string): string {
  if (/["'\\]/.test(path))
    throw new CommandError(`A unit of systemd cannot start ${path}: its path has a quote or a backslash.`);
  return quoted(path);
}

/** An argument. systemd reads `$` there. */
function argument(text: string): string {
  return quoted(text.replaceAll('$', '$$$$'));
}

/** In quotes. `%` begins a specifier, so it is written twice. A quote and a backslash each get a backslash. */
function quoted(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new CommandError('A path with a line end cannot stand in a unit of systemd.');
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}
