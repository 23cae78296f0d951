import { type Arguments, type Call, type Handlers, readArguments } from '../call.ts';
import { type Danger, listed, shortened } from '../finding.ts';

/**
 * The danger of some programs, its words, and the programs. `when` is tested against the name with its operands, a dot, and all
 * arguments: `git push origin · -f push origin`. The first row that fits counts. A requester can add arguments, so a grave row goes
 * before others that could hide it.
 *
 * In the words, `{paths}` are the operands, `{rest}` those behind the first one, and `{paths:data}` says "data" where there are none.
 * Words without such a place and without brackets are followed by the command, unless they end with a full stop. A program that reads
 * or writes its operands has a verb instead of words.
 */
export type Row = readonly [danger: Danger | 'read' | 'write', words: string, names: string, when?: RegExp];

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
  crontab: 'u',
  truncate: 'sr',
  touch: 'rtd',
  patch: 'pdio',
  vim: 'cSsup',
  vi: 'cSsup',
  nvim: 'cSsup',
  ex: 'c',
  open: 'ab',
  ping: 'ciWtwsp',
  cut: 'cdfb',
  head: 'nc',
  tail: 'nc',
  sort: 'tkS',
  fold: 'w',
  nl: 'bsw',
  od: 'NtA',
};

const VALUED_WORDS = (
  'git-dir work-tree message namespace kubeconfig context host profile region output recipient passphrase local-user ' +
  'passphrase-file batch-size reference date size eval cmd machine'
).split(' ');

/** A handler for each program: of its rows, the first one that fits counts. */
export function handlersOf(rows: readonly Row[]): Handlers {
  const byName = new Map<string, Row[]>();
  for (const row of rows) for (const name of row[2].split(' ')) byName.set(name, [...(byName.get(name) ?? []), row]);
  const handlers = [...byName].map(([name, own]) => [name, (call: Call) => noteRow(call, own)] as const);
  return Object.fromEntries(handlers);
}

function noteRow(call: Call, rows: readonly Row[]): void {
  const given = readArguments(call.args, { letters: VALUED[call.name] ?? '', words: VALUED_WORDS });
  const told = `${joined([call.name, ...given.operands])} · ${joined(call.args)}`;
  const row = rows.find(([, , , when]) => when?.test(told) ?? true);
  if (row === undefined) return;
  const [danger, words] = row;
  if (danger === 'read') for (const path of given.operands.filter(isLikeAPath)) call.reads(path);
  else if (danger === 'write') for (const path of given.operands.filter(isLikeAPath)) call.writes(path, words);
  else call.note(danger, inWords(words, call, given));
}

/** An argument with blanks must not look like several ones. */
function joined(words: readonly string[]): string {
  return words.map((word) => word.replace(/\s/gu, '_')).join(' ');
}

/** Numbers, format strings and commands for an editor are no paths. */
function isLikeAPath(text: string): boolean {
  return /^[^-+]/u.test(text) && /[\p{L}~*$]/u.test(text) && !/[\n{}|]/u.test(text);
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
