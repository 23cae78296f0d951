import { type Call, type Handler, type Handlers, readArguments } from '../call.ts';
import { listed, shortened } from '../finding.ts';
import { DEVELOPMENT_COMMANDS, PACKAGE_COMMANDS } from './development.ts';
import { FILE_COMMANDS } from './files.ts';
import { NETWORK_COMMANDS } from './network.ts';
import { forAll, handlersOf, type Row } from './rows.ts';
import { SYSTEM_ROWS } from './system-rows.ts';

/** Programs that use passwords and keys, or tell facts. */
export const FACT_ROWS: readonly Row[] = [
  ['read', '', 'cat tac less more nl bat strings xxd od hexdump base64 base32 rev zcat view wc uniq md5sum sha256sum'],
  [
    'read',
    '',
    'plutil qlmanage textutil pdftotext file stat jq column paste diff cmp comm cut sort head tail split fold',
  ],
  [
    'credentials',
    'reads passwords from the keychain ({first})',
    'security',
    /^security (?:find|dump|export|show|unlock|list)/u,
  ],
  ['deletes', 'deletes from the keychain ({first})', 'security', /^security delete/u],
  ['protection', 'changes the keychain ({first})', 'security', /^security (?:add|import|set|authorizationdb)/u],
  ['credentials', 'uses the passwords of the desktop', 'secret-tool kwallet-query'],
  ['credentials', 'uses the password manager', 'pass op bw lpass gopass keepassxc-cli dashlane chamber vault'],
  ['credentials', 'tries to find out passwords', 'john hashcat hydra medusa unshadow mimipenguin lazagne fcrackzip'],
  ['credentials', 'reads the variables of the environment, which can hold keys.', 'printenv env'],
  ['credentials', 'reads the list of accounts', 'getent', /^getent (?:passwd|shadow|group)/u],
  ['credentials', 'reads the memory of a program', 'gcore gdb'],
  ['changes', 'changes the list of known computers', 'ssh-keygen', / -\w*[Rl]/u],
  ['credentials', 'makes or reads a key', 'ssh-keygen'],
  ['credentials', 'loads the key {paths:of the key agent}', 'ssh-add'],
  ['persists', 'lets a key log in to {last}', 'ssh-copy-id'],
  ['credentials', 'reads your secret keys (gpg)', 'gpg gpg2', /--export-secret/u],
  ['encrypts', 'encrypts {paths:data}', 'gpg gpg2', / (?:-\w*[ce]|--symmetric|--encrypt)/u],
  ['credentials', 'decrypts {paths:data}', 'gpg gpg2', / (?:-\w*d|--decrypt)/u],
  ['deletes', 'deletes keys (gpg {paths})', 'gpg gpg2', /--delete-/u],
  ['encrypts', 'encrypts {paths:data}', 'age ccrypt ccencrypt mcrypt aescrypt gocryptfs veracrypt encfs'],
  ['sends', 'sends data to another computer', 'http', / (?:POST|PUT|PATCH|DELETE) /iu],
  ['installs', 'downloads from another computer', 'http aria2c'],
  ['deletes', 'deletes {last} on the network', 'rclone gsutil s3cmd', /^\S+ (?:rm|rb|delete|purge|del) /u],
  ['sends', 'sends files to {last} ({command})', 'rclone gsutil s3cmd', /^\S+ \S+ (?!\S*:)[^·]*:/u],
  ['installs', 'downloads files', 'rclone gsutil s3cmd', /^\S+ .*:/u],
  ['sends', 'sends data in the network name {last}', 'dig nslookup host ping ping6', /^[^·]*\$/u],
  ['looks', 'contacts {last}', 'dig nslookup host ping ping6'],
  ['sends', 'hands data to {last}', 'open xdg-open gopen', /^\S+ .*(?:mailto:|\$\()/iu],
  ['runs', 'opens {last:an app}', 'open xdg-open gopen'],
  ['looks', 'reads the network connections', 'ip ifconfig netstat ss lsof arp iwlist iw airport avahi-browse dns-sd'],
  ['sends', 'sends files to {first} ({command})', 'smbclient', /[ _]m?put_/u],
  ['looks', 'reads the network connections', 'smbclient ldapsearch showmount snmpwalk whois iwconfig traceroute route'],
  ['looks', 'reads the programs that run', 'ps top htop pgrep pstree pidof'],
  [
    'looks',
    'scans {last:the network} for open doors',
    'nmap masscan zmap arp-scan netdiscover nikto gobuster dirb sqlmap',
  ],
  ['looks', 'reads which commands may run as administrator (sudo)', 'sudo'],
];

/** Programs that show or search contents of files. */
const READING_COMMANDS: Handlers = {
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

/** Every program that the analysis knows, by name. A map has no members that a script could name, such as `constructor`. */
export const COMMANDS: ReadonlyMap<string, Handler> = new Map(
  Object.entries<Handler>({
    ...handlersOf([...SYSTEM_ROWS, ...FACT_ROWS]),
    ...READING_COMMANDS,
    ...FILE_COMMANDS,
    ...NETWORK_COMMANDS,
    ...PACKAGE_COMMANDS,
    ...DEVELOPMENT_COMMANDS,
    ...forAll('at batch', startsLater),
    'flatpak-spawn': (call) => call.run(readArguments(call.args).operands),
  } satisfies Handlers),
);

function startsLater(call: Call) {
  call.note('persists', `starts a program later (${[call.name, ...call.args].join(' ').slice(0, 90)})`);
  if (call.command.input !== '') call.shell(call.command.input);
}
