import { type Call, type Handlers, readArguments } from '../call.ts';
import { listed, shortened } from '../finding.ts';
import { isOnAnotherComputer } from './files.ts';
import { forAll } from './rows.ts';

/** Programs that send data to other computers, or get data from there. */
export const NETWORK_COMMANDS: Handlers = {
  curl: runCurl,
  wget: runWget,
  nc: connects,
  ncat: connects,
  netcat: connects,
  telnet: connects,
  socat: connects,
  scp: copiesToHost,
  sftp: copiesToHost,
  ftp: copiesToHost,
  lftp: copiesToHost,
  ssh: runSsh,
  ...forAll('mail mailx sendmail mutt msmtp swaks ssmtp thunderbird', mails),
};

/** The name of the computer in an address. The rest may hold a password. */
export function hostOf(address: string): string {
  const host = /^(?:[a-z][\w+.-]*:)?(?:\/\/)?(?:[^@/]*@)?([^/?#\s]+)/iu.exec(address)?.[1] ?? address;
  return shortened(host);
}

const CURL_VALUES = {
  letters: 'dFTXHoAeuxbcKmwUYzyQCPtEr',
  words:
    'data data-ascii data-binary data-raw data-urlencode form upload-file request header output user url cookie json user-agent referer proxy config max-time'.split(
      ' ',
    ),
};

function runCurl(call: Call) {
  const { operands, values, given } = readArguments(call.args, CURL_VALUES);
  const url = values.get('url') ?? operands.at(-1) ?? '';
  const bodies = given.flatMap(([name, value]) => (/^(?:[dF]|data[\w-]*|form|json)$/u.test(name) ? [value] : []));
  const files = [
    ...bodies.flatMap((body) => /^(?:[^=@]*=)?[@<](.+)$/u.exec(body)?.[1]?.split(';')[0] ?? []),
    ...given.flatMap(([name, value]) => (name === 'T' || name === 'upload-file' ? [value] : [])),
  ];
  const method = values.get('X') ?? values.get('request') ?? 'GET';
  if (files.length > 0) return sendsFiles(call, files, url);
  const isSending = bodies.length > 0 || !/^(?:GET|HEAD|OPTIONS)$/iu.test(method) || url.includes('$(');
  if (isSending) return call.note('sends', `sends data to ${hostOf(url)}`);
  downloads(call, url, values.get('o') ?? values.get('output'));
}

function sendsFiles(call: Call, files: readonly string[], url: string) {
  const named = files.filter((path) => path !== '-');
  call.note('sends', `sends ${listed(named.map(call.at)) || 'data'} to ${hostOf(url)}`);
  for (const path of named) call.reads(path);
}

function downloads(call: Call, url: string, file: string | undefined) {
  if (url === '') return;
  call.note('installs', `downloads from ${hostOf(url)}`);
  if (file !== undefined && file !== '-' && file !== '/dev/null') call.writes(file, 'writes a download to');
}

function runWget(call: Call) {
  const { operands, values } = readArguments(call.args, {
    letters: 'OoPUtTe',
    words: ['post-data', 'post-file', 'body-data', 'body-file', 'output-document', 'header'],
  });
  const url = operands.at(-1) ?? '';
  const file = values.get('post-file') ?? values.get('body-file');
  if (file !== undefined) return sendsFiles(call, [file], url);
  if (values.has('post-data') || values.has('body-data') || url.includes('$('))
    return call.note('sends', `sends data to ${hostOf(url)}`);
  downloads(call, url, values.get('O') ?? values.get('output-document'));
}

function connects(call: Call) {
  const { operands, flags, values } = readArguments(call.args, { letters: 'epqswiXx' });
  const host = operands[0] ?? values.get('p') ?? '';
  if (values.has('e') || flags.has('c') || call.args.some((arg) => /^(?:EXEC|SYSTEM):/iu.test(arg)))
    return call.note('sends', `gives control of a shell to ${hostOf(host)}`);
  if (flags.has('l')) return call.note('sends', `opens port ${values.get('p') ?? host} to other computers`);
  const target = call.args.find((arg) => /^(?:TCP|UDP|OPENSSL)\d?:/iu.test(arg))?.split(':')[1] ?? host;
  if (flags.has('z')) return call.note('looks', `scans ${hostOf(host)} for open ports`);
  if (call.command.isInLoop)
    return call.note('sends', `connects to ${hostOf(target)} again and again, which scans it or sends data there`);
  call.note('sends', `connects to ${hostOf(target)}, and can send data there`);
}

function copiesToHost(call: Call) {
  const { operands } = readArguments(call.args, { letters: call.name === 'lftp' ? 'iPFoSlcJpue' : 'iPFoSlcJpu' });
  const remote = operands.find(isOnAnotherComputer) ?? operands[0] ?? '';
  const sent = sentByCommands(
    [call.command.input, ...call.args, ...call.upstream.flatMap(({ words }) => words.map(({ text }) => text))].join(
      '\n',
    ),
  );
  const host = hostOf(remote.includes('://') ? remote : (remote.split(':')[0] ?? ''));
  const local = [...operands.filter((path) => path !== remote), ...sent];
  const isDownload = sent.length === 0 && operands.length > 1 && operands.indexOf(remote) < operands.length - 1;
  if (isDownload) return downloads(call, host, local.at(-1));
  call.note('sends', `sends ${listed(local.map(call.at)) || 'files'} to ${host}`);
  for (const path of local) call.reads(path);
}

/** `put FILE`, as the programs for file transfer take it from a here-document or an option. */
function sentByCommands(text: string): string[] {
  return [...text.slice(0, 4_000).matchAll(/\bm?put\s+(?:-\w+\s+)*([^\s;]+)/gu)]
    .slice(0, 8)
    .map(([, path = '']) => path);
}

function runSsh(call: Call) {
  const { operands, flags } = readArguments(call.args, { letters: 'bcDEeFIiJLlmOopQRSWw' });
  const [host = '', ...command] = operands;
  if (call.args.some((arg) => /^-[RLD]/u.test(arg))) call.note('sends', `opens a tunnel to ${hostOf(host)}`);
  else if (host !== '' && call.upstream.length > 0)
    call.note('sends', `sends the output of "${outputOf(call)}" to ${hostOf(host)}`);
  else if (host !== '')
    call.note('sends', `connects to ${hostOf(host)}${command.length > 0 ? ', and runs commands there' : ''}`);
  if (flags.has('y')) call.note('credentials', 'uses a key of yours');
  if (command.length > 0) call.shell(command.join(' '));
}

/** The commands before this one, whose output it gets. */
function outputOf({ upstream }: Call): string {
  return shortened(upstream.map(({ words }) => words.map(({ text }) => text).join(' ')).join(' | '));
}

function mails(call: Call) {
  const { operands, values } = readArguments(call.args, { letters: 'aAscbrSf', words: ['to', 'attach', 'server'] });
  const file = values.get('a') ?? values.get('A') ?? values.get('attach');
  const to = operands.filter((each) => each.includes('@'));
  const object = file === undefined ? 'mail' : call.at(file);
  call.note('sends', `sends ${object} to ${listed(to.length > 0 ? to : [values.get('to') ?? 'a mail address'])}`);
  if (file !== undefined) call.reads(file);
}
