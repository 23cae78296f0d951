import { type Call, readArguments } from '../call.ts';
import { COMMANDS } from '../commands/commands.ts';
import { type Danger, listed, type Notebook, shortened } from '../finding.ts';
import { createLooks, endOf, type Looks } from '../looks.ts';
import { interpreterOf, runInterpreter, unwrap } from './interpreters.ts';
import { scanShell } from './scan.ts';
import { type Command, createVariables, type Pipeline, type Variables } from './words.ts';

/** Analyses text in another language than the shell. */
export type CodeAnalysis = (text: string, at: { language: string; line: number; depth: number }) => void;

type Options = { notebook: Notebook; code: CodeAnalysis; line?: number; depth?: number; variables?: Variables };

/** Text within text within text: deeper than this, a script says only that it runs a text as a program. */
const DEEPEST = 8;
const MOST_UPSTREAM = 8;
const MOST_REDIRECTS = 20;
/** The cost of a command, a word and a path, counted as characters of the script: reading that many takes as long. */
const WORK_PER_COMMAND = 40;
const WORK_PER_WORD = 20;
const WORK_PER_PATH = 80;

/** Notes the dangers of a shell script, and of the scripts and the code inside it. */
export function analyseShell(text: string, options: Options) {
  const { notebook, line = 1, depth = 0, variables = createVariables() } = options;
  if (depth > DEEPEST) return notebook.note('hides', 'runs text within text as programs', line);
  const folder: Folder = { path: '' };
  const inner = { ...options, depth: depth + 1, variables };
  scanShell(text, { line, variables, notebook, take: (pipeline) => isAnalysed(pipeline, { folder, inner }) });
}

/** False where no work is left. */
function isAnalysed(pipeline: Pipeline, { folder, inner }: Pick<Subject, 'folder' | 'inner'>): boolean {
  const { notebook } = inner;
  for (const [at, command] of pipeline.entries()) {
    if (!notebook.spend(WORK_PER_COMMAND + WORK_PER_WORD * command.words.length)) return false;
    const upstream = pipeline.slice(Math.max(0, at - MOST_UPSTREAM), at);
    analyseCommand({ command, upstream, folder, inner });
  }
  noteCopiesOfItself(pipeline, notebook);
  return true;
}

/** The folder that the script went to with `cd`; empty for the one in which it began. */
type Folder = { path: string };
type Subject = { command: Command; upstream: Pipeline; folder: Folder; inner: Options & { depth: number } };

function analyseCommand({ command, upstream, folder, inner }: Subject): void {
  const words = command.words.map(({ text }) => text);
  const call = callOf(words, { command, upstream, folder, inner });
  noteRedirects(call);
  if (words.length === 0) return;
  notePreload(words, call);
  if (call.name === 'cd' || call.name === 'pushd')
    folder.path = joined(folder.path, readArguments(call.args).operands[0] ?? '~'); // guard E2-3
  runCall(call);
  noteComputedName(call);
  noteRepetition(call);
}

type Parts = Omit<Subject, 'folder'> & { folder: Folder };

/** A call, and the paths that were noted as read or written. */
type Looking = Call & {
  noted: Set<string>;
  looks: Looks;
  /** Notes a program that runs as administrator, if nothing else was noted of it. */
  noteAdministrator(): void;
};

/** A command as the handlers see it. */
function callOf(words: readonly string[], { command, upstream, folder, inner }: Parts): Looking {
  const { notebook, code, depth } = inner;
  const { line } = command;
  const { name, args, isAdministrator } = unwrap(words);
  const noted = new Set<string>();
  const looks = createLooks(notebook);
  const at = (path: string) => joined(folder.path, path);
  let isNoted = false;
  const note = (danger: Danger, text: string) => {
    isNoted = true;
    notebook.note(danger, isAdministrator ? `${text} as administrator` : text, line);
  };
  const call = {
    name,
    args,
    command,
    upstream,
    noted,
    looks,
    note,
    at,
    noteAdministrator() {
      if (isAdministrator && !isNoted) note('runs', `runs ${shortened([name, ...args].join(' '))}`);
    },
    isSecret: (path: string) => looks.secret(path) !== undefined,
    reads(path: string) {
      noted.add(path);
      if (!notebook.spend(WORK_PER_PATH)) return;
      const place = at(path);
      const secret = looks.secret(place);
      if (secret === undefined) note('reads', `reads ${shortened(place)}`);
      else note('credentials', `reads ${shortened(place)} (${secret})`);
    },
    writes(path: string, verb: string) {
      noted.add(path);
      if (!notebook.spend(WORK_PER_PATH)) return;
      const place = at(path);
      const [effect, secret] = [looks.lastingEffect(place), looks.secret(place)];
      const object = `${verb === '' ? 'changes' : verb} ${shortened(place)}`;
      if (effect !== undefined) note('persists', `${object}, ${effect}`);
      else if (secret !== undefined) note('credentials', `${object} (${secret})`);
      else if (/^\/(?:etc|usr|bin|sbin|boot|lib|System|Library|opt)(?:\/|$)/u.test(path))
        note('protection', `${object}, a part of the system`);
      else if (verb !== '')
        note(/^(?:overwrites|cuts off|writes|copies over)/u.test(verb) ? 'overwrites' : 'changes', object);
    },
    shell: (text: string) => analyseShell(text, { ...inner, line }),
    code: (text: string) => code(text, { language: name, line, depth }),
    run: (started: readonly string[]) =>
      runStarted(started, { command: { ...command, input: '' }, upstream: [], folder, inner }),
  };
  return call;
}

/** A command that another one starts, such as `rm` in `find . -exec rm {} +`. */
function runStarted(words: readonly string[], { inner, ...parts }: Parts): void {
  const { notebook, depth } = inner;
  if (depth > DEEPEST) notebook.note('hides', 'runs text within text as programs', parts.command.line);
  else if (notebook.spend(WORK_PER_COMMAND + WORK_PER_WORD * words.length))
    runCall(callOf(words, { ...parts, inner: { ...inner, depth: depth + 1 } }));
}

function runCall(call: Looking): void {
  const interpreter = interpreterOf(call);
  if (interpreter !== undefined) runInterpreter(call, interpreter);
  // `mkfs.ext4` and `pip3.11` are `mkfs` and `pip`.
  noteOwnProgram(call);
  const handler = COMMANDS.get(call.name) ?? COMMANDS.get(call.name.replace(/(?<=^mkfs)\..*$|[\d.]+$/u, ''));
  handler?.(call);
  runOptions(call);
  noteSecretsAmong(call, call.noted);
  call.noteAdministrator();
}

/** Options of many programs whose value is a command: `tar --checkpoint-action=exec=…`, `ssh -o ProxyCommand=…`. */
const COMMAND_OPTIONS =
  /^(?:--?[\w-]*=?)?(?:exec|ProxyCommand|LocalCommand|to-command|use-compress-program|rsh|core\.(?:pager|editor|sshCommand|fsmonitor))=(.+)$/isu;

function runOptions({ args, shell }: Call): void {
  for (const arg of args.slice(0, 60)) {
    const command = arg.includes('=') && arg.length <= 2_000 ? COMMAND_OPTIONS.exec(arg)?.[1] : undefined;
    if (command !== undefined) shell(command);
  }
}

/** A program that is named by a path outside of the system, or that goes on after the script. */
function noteOwnProgram({ command, note, at }: Call): void {
  const words = command.words.map(({ text }) => text);
  const started = words.find((word) => !/^[A-Za-z_]\w*\+?=/u.test(word)) ?? '';
  const isOwn = /^(?:\.{1,2}|~|\/(?:tmp|var\/tmp|dev\/shm|home|Users|mnt|media|Volumes))\//u.test(started);
  if (isOwn) note('runs', `runs the program in ${shortened(at(started))}`);
  if (/^(?:nohup|setsid)$/u.test(started) && words.length > 1)
    note('persists', `starts a program that goes on after the script (${shortened(words.join(' '))})`);
}

/**
 * Notes the secrets among the arguments of a program that were not noted as read, and lasting places that an option names for the
 * output, even if the program is unknown.
 */
function noteSecretsAmong({ args, note, at, looks }: Looking, noted: ReadonlySet<string>): void {
  for (const [index, arg] of args.slice(0, 60).entries()) {
    const path = arg.replace(/^(?:--?[\w-]+=|[\w]*=?@|of=|if=)/u, '');
    if (noted.has(path) || noted.has(arg) || !isOnePath(path)) continue;
    const secret = looks.secret(at(path));
    if (secret !== undefined) note('credentials', `uses ${shortened(at(path))} (${secret})`);
    const isOutput = OUTPUT.test(args[index - 1] ?? '') || OUTPUT.test(arg);
    const effect = isOutput ? looks.lastingEffect(at(path)) : undefined;
    if (effect !== undefined) note('persists', `writes ${shortened(at(path))}, ${effect}`);
  }
}

function isOnePath(text: string): boolean {
  return /[./]/u.test(text) && !text.includes('\n') && (!/\s/u.test(text) || /^[~/]/u.test(text));
}

/** Options whose value is a file that the program writes. */
const OUTPUT = /^(?:-[a-z]*[oO]|--?out(?:put|file)?(?:-[a-z]+)?)(?:=|$)/u;

function noteRedirects(call: Call) {
  // `<` compares within `[[ … ]]`.
  if (call.name === '[[' || call.name === 'let') return;
  for (const { operator, target } of call.command.redirects.slice(0, MOST_REDIRECTS)) {
    if (!HARMLESS_TARGET.test(target.text)) noteRedirect(call, operator, target.text);
  }
}

/** The streams of the script, and devices that keep nothing. */
const HARMLESS_TARGET = /^(?:\/dev\/(?:null|std(?:in|out|err)|tty|fd\/.*|zero|u?random)|\d+|-|)$/u;

function noteRedirect(call: Call, operator: string, path: string) {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]*)/u.exec(path)?.[1];
  const isReading = operator === '<' || operator === '<&';
  const isShell = /^(?:ba|z|da|k)?sh$/u.test(call.name);
  if (host !== undefined && isShell)
    call.note(
      'sends',
      `connects to ${shortened(host)} and gives it a shell, so that others can log in and start commands`,
    );
  else if (host !== undefined && call.command.isInLoop)
    call.note('sends', `connects to ${shortened(host)} again and again, which scans it or sends data there`);
  else if (host !== undefined) call.note('sends', `connects to ${shortened(host)}, and can send data there`);
  else if (isReading) call.reads(path);
  else if (path.startsWith('/dev/')) call.note('deletes', `overwrites the device ${shortened(path)}`);
  else if (path === '/proc/sysrq-trigger')
    call.note('stops', `restarts or stops the computer by force (${shortened(path)})`);
  else if (isEndless(call)) call.note('stops', `fills the disk by writing to ${shortened(call.at(path))} without end`);
  else if (operator.endsWith('>>')) call.writes(path, 'adds to');
  else call.writes(path, emptied(call) ? 'empties' : 'overwrites');
}

/** Programs and devices whose output has no end. */
function isEndless({ name, args }: Call): boolean {
  return (
    name === 'yes' ||
    (/^(?:cat|tee|dd|pv)$/u.test(name) && args.some((arg) => /^(?:if=)?\/dev\/(?:zero|u?random|full)$/u.test(arg)))
  );
}

/** `> file` and `: > file` leave an empty file. */
function emptied({ name, args }: Call): boolean {
  return name === '' || name === ':' || name === 'true' || (name === 'echo' && args.every((arg) => /^-n?$/u.test(arg)));
}

function notePreload(words: readonly string[], { note }: Call): void {
  for (const word of words.slice(0, 20)) {
    const name =
      /^(LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|PATH|PROMPT_COMMAND|BASH_ENV|ENV|HISTFILE|HISTSIZE|HISTFILESIZE|PYTHONSTARTUP|NODE_OPTIONS)\+?=/u.exec(
        word,
      )?.[1];
    if (name === undefined) continue;
    if (name.startsWith('HIST')) note('hides', `switches off the history of commands (${name})`);
    else note('changes', `changes which programs run (${name})`);
  }
}

/** The name of the program itself is known only when the script runs. */
function noteComputedName({ name, command, note }: Call): void {
  const [first] = command.words;
  const isPattern = first?.isPlain === true && name.length > 1 && /[*?]|\[.+\]/u.test(name) && !name.startsWith('[');
  if (isPattern || (first?.isComputed === true && (name.startsWith('$') || name.includes('$('))))
    note('hides', `runs a program whose name it works out while it runs (${shortened(first.text)})`);
}

function noteRepetition({ name, command, note }: Call): void {
  if (command.isInLoop && command.isInBackground && name !== '')
    note('stops', `starts ${shortened(name)} again and again, side by side`);
}

/** `f() { f | f & }`: a program that starts itself twice. */
function noteCopiesOfItself(pipeline: Pipeline, notebook: Notebook) {
  const [first, second] = pipeline;
  if (first === undefined || second === undefined || !second.isInBackground) return;
  const name = first.words[0]?.text;
  if (name !== undefined && name === second.words[0]?.text)
    notebook.note('stops', `starts copies of itself without end (${listed([name])})`, first.line);
}

function joined(folder: string, path: string): string {
  if (folder === '' || /^(?:[/~$]|\.$)/u.test(path)) return path;
  return endOf(`${folder.replace(/\/$/u, '')}/${path.replace(/^\.\//u, '')}`);
}
