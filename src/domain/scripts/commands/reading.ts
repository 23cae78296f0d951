import { type Call, type Handlers, readArguments } from '../call.ts';
import { listed, shortened } from '../finding.ts';
import { forAll } from './rows.ts';

/** Programs that show or search contents of files. */
export const READING_COMMANDS: Handlers = {
  ...forAll('grep egrep fgrep rg ag ack zgrep', searches),
  ...forAll('awk gawk mawk', programThenFiles),
  ...forAll('find fd', finds),
};

const SECRET_WORDS =
  /passw|passphrase|secret|token|api.?key|credential|private.?key|BEGIN.{0,40}KEY|aws_|ssn|cvv|credit.?card/iu;

function searches(call: Call) {
  const { operands, values } = readArguments(call.args, {
    letters: 'efmABCgtD',
    words: ['regexp', 'file', 'include', 'exclude'],
  });
  const pattern = values.get('e') ?? values.get('regexp') ?? operands[0] ?? '';
  const paths = values.has('e') || values.has('regexp') ? operands : operands.slice(1);
  for (const path of paths) call.reads(path);
  const source = call.upstream.at(-1)?.words.map(({ text }) => text) ?? [];
  if (paths.length === 0 && source.length > 0 && !/^(?:echo|printf|cat)$/u.test(source[0] ?? ''))
    call.note('looks', `searches the output of "${shortened(source.join(' '))}" for "${shortened(pattern)}"`);
  if (SECRET_WORDS.test(pattern)) {
    const place = paths.length === 0 ? '' : ` in ${listed(paths.map(call.at))}`;
    call.note('credentials', `searches for passwords or keys${place} ("${shortened(pattern)}")`);
  }
}

function programThenFiles(call: Call) {
  const { operands, values } = readArguments(call.args, { letters: 'Fvf' });
  const program = values.has('f') ? '' : (operands.find((each) => each !== 'inplace') ?? '');
  const isInPlace = call.args.some(
    (arg, at) => arg === 'inplace' && /^(?:-i|--include)$/u.test(call.args[at - 1] ?? ''),
  );
  const paths = operands.filter((path) => path !== 'inplace').slice(values.has('f') ? 0 : 1);
  for (const path of paths) isInPlace ? call.writes(path, 'changes') : call.reads(path);
  for (const [, text = ''] of program.slice(0, 4_000).matchAll(/system\s*\(\s*"([^"]*)"|"([^"]*)"\s*\|\s*getline/gu))
    call.shell(text);
}

const SEARCHED = /^-(?:i?name|i?path|i?regex|newer|perm|size|user|group|type|mtime|mmin|atime|maxdepth|mindepth)$/u;

function finds(call: Call) {
  const { args } = call;
  const starts = args.findIndex((arg) => /^[-(!]/u.test(arg));
  const places = (starts < 0 ? args : args.slice(0, starts)).filter((arg) => !arg.startsWith('-'));
  const tests = args.flatMap((arg, at) => (SEARCHED.test(arg) ? [args[at + 1] ?? ''] : []));
  const names = args.flatMap((arg, at) => (/^-i?(?:name|path)$/u.test(arg) ? [args[at + 1] ?? ''] : []));
  const place = listed(places.map(call.at)) || 'the folder';
  const which = names.length === 0 ? 'files' : `files named ${listed(names)}`;
  if (args.includes('-delete')) call.note('deletes', `deletes ${which} in ${place}`);
  const isSecret = names.some((name) => SECRET_WORDS.test(name) || call.isSecret(name));
  if (isSecret) call.note('credentials', `searches ${place} for ${listed(names)}`);
  else if (args.some((arg) => arg === '-perm'))
    call.note('looks', `searches ${place} for files with the rights ${listed(tests)}`);
  else call.note('looks', `searches ${place} for ${names.length === 0 ? 'files' : listed(names)}`);
  runFound(call, `${which} in ${place}`);
}

/** `-exec rm {} ;`: the found files stand for the braces. */
function runFound(call: Call, found: string) {
  const { args } = call;
  for (let at = 0; at < args.length; at += 1) {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|--exec|-X)$/u.test(args[at] ?? '')) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((arg) => arg === ';' || arg === '+');
    const inner = (end < 0 ? rest : rest.slice(0, end)).map((arg) => (arg === '{}' ? found : arg));
    call.run(inner);
    at += inner.length;
  }
}
