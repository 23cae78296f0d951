import { type Arguments, type Call, type Handlers, readArguments } from '../call.ts';
import { type Danger, listed, shortened } from '../finding.ts';

/**
 * The danger of some programs, its words, and the programs. `when` is tested against the name with its operands, a dot, and all
 * arguments: `git push origin · -f push origin`. In the words, `{paths}` are the operands, `{rest}` those behind the first one, and
 * `{paths:data}` says "data" where there are none. Words without such a place and without brackets are followed by the command, unless
 * they end with a full stop.
 */
export type Row = readonly [danger: Danger, words: string, names: string, when?: RegExp];

/** Options with a value, by program. */
const VALUED: Readonly<Record<string, string>> = {
  git: 'cCmobu',
  kubectl: 'nfocl',
  oc: 'nfocl',
  docker: 'H',
  gpg: 'orux',
  gpg2: 'orux',
  mount: 'to',
  nmap: 'pT',
  age: 'roiRk',
  systemctl: 'tHMp',
  'ssh-add': 't',
};

/** A handler for each program: of its rows, the first one that fits counts. */
export function handlersOf(rows: readonly Row[]): Handlers {
  const byName = new Map<string, Row[]>();
  for (const row of rows) for (const name of row[2].split(' ')) byName.set(name, [...(byName.get(name) ?? []), row]);
  const handlers = [...byName].map(([name, own]) => [name, (call: Call) => noteRow(call, own)] as const);
  return Object.fromEntries(handlers);
}

function noteRow(call: Call, rows: readonly Row[]): void {
  const given = readArguments(call.args, { letters: VALUED[call.name] ?? '' });
  const told = `${[call.name, ...given.operands].join(' ')} · ${call.args.join(' ')}`;
  const row = rows.find(([, , , when]) => when?.test(told) ?? true);
  if (row !== undefined) call.note(row[0], inWords(row[1], call, given));
}

function inWords(words: string, call: Call, { operands }: Arguments): string {
  const command = shortened([call.name, ...call.args].join(' '));
  if (!/[({]/u.test(words)) return words.endsWith('.') ? words.slice(0, -1) : `${words} (${command})`;
  const paths = operands.filter((path) => path !== '-').map(call.at);
  const places: Readonly<Record<string, string>> = {
    paths: listed(paths),
    rest: listed(paths.slice(1)),
    first: listed(paths.slice(0, 1)),
    second: listed(paths.slice(1, 2)),
    last: listed(paths.slice(-1)),
    command,
  };
  return words
    .replace(/\{(\w+)(?::([^}]*))?\}/gu, (_whole, name: string, otherwise = '') => places[name] || otherwise)
    .replace(/ \)$/u, ')');
}

/** The same handler for several programs. */
export function forAll(names: string, handler: Handlers[string]): Handlers {
  return Object.fromEntries(names.split(' ').map((name) => [name, handler]));
}
