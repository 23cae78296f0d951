import { type Call, type Handler, type Handlers, readArguments } from '../call.ts';
import { listed } from '../finding.ts';
import { leavesFrom } from '../places.ts';

/** Programs that delete, move, change or overwrite files. */
export const FILE_COMMANDS: Handlers = {
  rm: deletes('deletes'),
  rmdir: deletes('deletes the folder'),
  unlink: deletes('deletes'),
  srm: deletes('deletes for good'),
  wipe: deletes('deletes for good'),
  shred: deletes('overwrites for good', { letters: 'ns', words: ['iterations', 'size', 'random-source'] }),
  trash: deletes('moves to the trash'),
  'trash-put': deletes('moves to the trash'),
  gio: (call) => {
    if (call.args[0] === 'trash' || call.args[0] === 'remove')
      deletes('deletes')({ ...call, args: call.args.slice(1) });
  },
  dd: runDd,
  mv: moves,
  cp: copies,
  install: copies,
  ln: copies,
  rsync(call) {
    if (call.args.some((arg) => arg.startsWith('--del') || arg === '--remove-source-files'))
      call.note(
        'deletes',
        `deletes files of a folder that it copies: ${placesOf(call, readArguments(call.args, { letters: 'efT' }).operands)}`,
      );
    copies(call);
  },
  sed: edits('i', 'in-place', { letters: 'efl', words: ['expression', 'file', 'line-length'] }),
  perl: edits('i', 'in-place', { letters: 'eEMmIx' }),
  ruby: edits('i', 'in-place', { letters: 'eIr' }),
  tar: packs,
  zip: packs,
  '7z': packs,
  '7za': packs,
  rar: packs,
};

function deletes(verb: string, valued: { letters?: string; words?: readonly string[] } = {}): Handler {
  return (call) => {
    const { operands } = readArguments(call.args, valued);
    const source = call.upstream.at(-1);
    const isGiven = source !== undefined && operands.every((path) => /^(?:-|\{\}|\$\w+)$/u.test(path));
    if (operands.length > 0 && !isGiven) call.note('deletes', `${verb} ${placesOf(call, operands)}`);
    else if (source !== undefined) call.note('deletes', `${verb} files that "${textOf(source.words)}" names`);
  };
}

function textOf(words: readonly { text: string }[]): string {
  return listed([words.map(({ text }) => text).join(' ')]);
}

function placesOf({ at }: Call, paths: readonly string[]): string {
  return listed(paths.map(at));
}

function changes(call: Call, paths: readonly string[]) {
  for (const path of paths) call.writes(path, 'changes');
}

/** `sed -i`: the first operand is the program, unless an option gave it. */
function edits(letter: string, word: string, valued: { letters: string; words?: readonly string[] }): Handler {
  return (call) => {
    const inPlace = call.args.some((arg) => new RegExp(`^-(?!-)[a-zA-Z]*${letter}|^--${word}`, 'u').test(arg));
    const { operands, values } = readArguments(
      call.args.filter((arg) => arg !== '' && (!/^-[a-zA-Z]*i/u.test(arg) || /^-[a-z]*e$/iu.test(arg))),
      valued,
    );
    const hasProgram = values.size > 0 || call.args.some((arg) => /^-[a-z]*e$/iu.test(arg));
    const paths = operands.slice(hasProgram ? 0 : 1);
    if (inPlace) changes(call, paths);
    else if (call.name === 'sed') for (const path of paths) call.reads(path);
    const written = /(?:^|[;\d/])w\s*([~/][^\s;]+)/u.exec(call.args.join(' ').slice(0, 4_000))?.[1];
    if (call.name === 'sed' && written !== undefined) call.writes(written, 'writes');
  };
}

function runDd(call: Call) {
  const value = (name: string) => call.args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
  const [from, to] = [value('if'), value('of')];
  if (from !== undefined && !/^\/dev\/(?:zero|u?random)$/u.test(from)) call.reads(from);
  if (to === undefined) return;
  if (to.startsWith('/dev/')) call.note('deletes', `overwrites the disk ${to}`);
  else if (from !== undefined && /^\/dev\/(?:zero|u?random)$/u.test(from))
    call.note('deletes', `overwrites ${call.at(to)} with ${from}, and fills the disk if it has no end (dd)`);
  else call.writes(to, 'overwrites');
}

function moves(call: Call) {
  const { operands, values } = readArguments(call.args, { letters: 'tS', words: ['target-directory', 'suffix'] });
  const target = values.get('t') ?? values.get('target-directory') ?? operands.at(-1);
  const sources = values.has('t') || values.has('target-directory') ? operands : operands.slice(0, -1);
  if (target === undefined || sources.length === 0) return;
  if (target === '/dev/null') call.note('deletes', `deletes ${placesOf(call, sources)}`);
  else {
    const isTemporary = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/u.test(call.at(target));
    const place = isTemporary ? `${call.at(target)}, where the system deletes files` : call.at(target);
    call.note('overwrites', `moves ${placesOf(call, sources)} to ${place}`);
  }
  if (target !== '/dev/null') call.writes(target, '');
  noteLeaving(call, { verb: 'moves', sources, target });
  if (/(?:^|\/)\.[^./]/u.test(target)) call.note('hides', `moves ${placesOf(call, sources)} to a hidden place`);
}

function copies(call: Call) {
  const { operands, values } = readArguments(call.args, { letters: call.name === 'rsync' ? 'efT' : 'tSgom' });
  const target = values.get('t') ?? operands.at(-1);
  const sources = values.has('t') ? operands : operands.slice(0, -1);
  if (target === undefined || sources.length === 0) return;
  if (isOnAnotherComputer(target))
    return call.note('sends', `sends ${placesOf(call, sources)} to ${target.split(':')[0]}`);
  for (const source of sources) if (call.isSecret(call.at(source))) call.reads(source);
  if (sources.includes('/dev/null')) call.note('deletes', `empties ${call.at(target)}`);
  else call.writes(target, `${call.name === 'ln' ? 'links' : 'copies'} ${placesOf(call, sources)} to`);
  noteLeaving(call, { verb: 'copies', sources, target });
}

/** A folder that is synchronised with other computers sends each new file in it. */
function noteLeaving(
  call: Call,
  { verb, sources, target }: { verb: string; sources: readonly string[]; target: string },
) {
  const effect = leavesFrom(call.at(target));
  if (effect !== undefined) call.note('sends', `${verb} ${placesOf(call, sources)} to ${call.at(target)}, ${effect}`);
}

/** `host:path` and `user@host:path`, as scp and rsync have it. */
export function isOnAnotherComputer(target: string): boolean {
  return /^(?:[\w.-]+@)?[\w.-]+:(?!\/\/)/u.test(target) || /^(?:rsync|scp|sftp|s3|gs|ftp):\/\//u.test(target);
}

/** Archives. A password locks the person out, and `-m` of zip deletes the originals. */
function packs(call: Call) {
  const { name, args } = call;
  if (name === 'tar') return packsTar(call);
  const { operands, flags } = readArguments(args, { letters: name === 'zip' ? 'Pbnt' : '' });
  const [archive = '', ...packed] = operands.filter((each) => !/^(?:a|u|x|e|l|t)$/u.test(each));
  if (/^[xe]$/u.test(operands[0] ?? '')) return call.note('changes', `unpacks ${placesOf(call, [archive])}`);
  const isLocked = ['e', 'P', 'encrypt'].some((flag) => flags.has(flag)) || args.some((arg) => /^-h?p./u.test(arg));
  const isMoved =
    (name === 'zip' && (flags.has('m') || flags.has('move'))) || args.some((arg) => /^-(?:sdel|df)$/u.test(arg));
  const objects = placesOf(call, packed);
  if (isLocked) call.note('encrypts', `locks ${objects} with a password in ${call.at(archive)}`);
  if (isMoved) call.note('deletes', `deletes ${objects} after it packs them`);
  if (!isMoved && !isLocked) notePacked(call, { archive, packed });
}

function packsTar(call: Call) {
  const { operands, flags, values } = readArguments(call.args, { letters: 'fCXT' });
  const [first = ''] = call.args;
  const isOldStyle = /^[cxtruvzjJpf]+$/u.test(first);
  const letters = isOldStyle ? new Set(first) : flags;
  const archive = values.get('f') ?? (isOldStyle && letters.has('f') ? (operands[1] ?? '') : '-');
  const packed = operands.filter((path) => path !== archive && path !== (isOldStyle ? first : ''));
  if (letters.has('x') || flags.has('extract')) return call.note('changes', `unpacks ${placesOf(call, [archive])}`);
  if (flags.has('remove-files')) call.note('deletes', `deletes ${placesOf(call, packed)} after it packs them`);
  if (letters.has('c') || letters.has('r') || flags.has('create')) notePacked(call, { archive, packed });
}

function notePacked(call: Call, { archive, packed }: { archive: string; packed: readonly string[] }) {
  for (const path of packed.slice(0, 8)) call.reads(path);
  if (archive !== '' && archive !== '-') call.writes(archive, 'writes');
}
