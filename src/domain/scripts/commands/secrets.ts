import { type Call, type Handler, type Handlers, readArguments } from '../call.ts';
import { listed, shortened } from '../finding.ts';
import { hostOf } from './network.ts';

/** Programs that show, make or use passwords and keys. */
export const SECRET_COMMANDS: Handlers = {
  security(call) {
    const [verb = ''] = call.args;
    if (/^(?:find|dump|export|show|unlock|list)/u.test(verb))
      call.note('credentials', `reads passwords from the keychain (${shortened(verb)})`);
    else if (/^(?:delete)/u.test(verb)) call.note('deletes', `deletes from the keychain (${shortened(verb)})`);
    else if (/^(?:add|import|set|authorizationdb)/u.test(verb))
      call.note('protection', `changes the keychain (${shortened(verb)})`);
  },
  'secret-tool': (call) =>
    call.note('credentials', `uses the passwords of the desktop (${shortened(call.args[0] ?? '')})`),
  'kwallet-query': (call) =>
    call.note('credentials', `reads passwords of the desktop (kwallet-query ${shortened(call.args.join(' '))})`),
  keyctl: (call) => call.note('credentials', `uses keys of the system (${shortened(call.args[0] ?? '')})`),
  ...each(['pass', 'op', 'bw', 'lpass', 'gopass', 'keepassxc-cli', 'dashlane', 'chamber'], (call) =>
    call.note('credentials', `uses the password manager ${call.name} (${shortened(call.args[0] ?? '')})`),
  ),
  ...each(
    [
      'john',
      'hashcat',
      'hydra',
      'medusa',
      'unshadow',
      'mimipenguin',
      'lazagne',
      'fcrackzip',
      'aircrack-ng',
      'crunch',
      'patator',
      'ncrack',
      'zip2john',
      'pdfcrack',
      'mimikatz',
    ],
    (call) =>
      call.note(
        'credentials',
        `tries to find out passwords (${call.name} ${listed(readArguments(call.args, { letters: 'lLpPmao' }).operands)}`
          .trimEnd()
          .concat(')'),
      ),
  ),
  ...each(['printenv', 'env'], (call) =>
    call.note(
      'credentials',
      `reads the variables of the environment, which can hold keys${call.args.length === 0 ? '' : ` (${shortened(call.args.join(' '))})`}`,
    ),
  ),
  getent: (call) => call.note('credentials', `reads the list of accounts (getent ${shortened(call.args.join(' '))})`),
  gcore: (call) => call.note('credentials', `reads the memory of the program ${listed(call.args.slice(-1))}`),
  gdb: (call) => call.note('credentials', `reads the memory of a program (gdb ${shortened(call.args.join(' '))})`),
  'ssh-keygen': sshKeygen,
  'ssh-add': (call) =>
    call.note(
      'credentials',
      call.args.length === 0 || call.args.some((arg) => /^-[lL]/u.test(arg))
        ? 'uses the keys of the key agent'
        : `loads the key ${listed(readArguments(call.args, { letters: 't' }).operands.map(call.at))}`,
    ),
  'ssh-copy-id': (call) => call.note('persists', `lets a key log in to ${hostOf(call.args.at(-1) ?? '')}`),
  gpg: runGpg,
  gpg2: runGpg,
  ...each(['age', 'ccrypt', 'ccencrypt', 'mcrypt', 'aescrypt', 'gocryptfs', 'veracrypt', 'encfs'], (call) =>
    call.note(
      'encrypts',
      `encrypts ${listed(readArguments(call.args, { letters: 'roiRKk' }).operands.map(call.at)) || 'data'}`,
    ),
  ),
  vault: (call) =>
    call.note('credentials', `uses stored secrets (vault ${shortened(call.args.slice(0, 2).join(' '))})`),
};

function each(names: readonly string[], handler: Handler): Handlers {
  return Object.fromEntries(names.map((name) => [name, handler]));
}

function sshKeygen(call: Call) {
  const { values, flags } = readArguments(call.args, { letters: 'fNPCtbRmF' });
  const file = values.get('f');
  if (flags.has('y')) call.note('credentials', `reads the key ${call.at(file ?? '~/.ssh/id_rsa')}`);
  else if (values.has('R') || flags.has('l')) call.note('changes', 'changes the list of known computers');
  else call.note('credentials', `makes a key${file === undefined ? '' : ` at ${call.at(file)}`}`);
}

function runGpg(call: Call) {
  const { flags, values, operands } = readArguments(call.args, {
    letters: 'orux',
    words: ['output', 'recipient', 'passphrase', 'local-user', 'batch-size', 'passphrase-file'],
  });
  const has = (...names: string[]) => names.some((name) => flags.has(name));
  const objects = listed(operands.map(call.at));
  if (has('export-secret-keys', 'export-secret-subkeys')) call.note('credentials', 'reads your secret keys (gpg)');
  else if (has('delete-secret-keys', 'delete-keys', 'delete-secret-and-public-key'))
    call.note('deletes', `deletes keys (gpg ${objects})`);
  else if (has('c', 'symmetric', 'e', 'encrypt')) call.note('encrypts', `encrypts ${objects || 'data'}`);
  else if (has('d', 'decrypt')) call.note('credentials', `decrypts ${objects || 'data'}`);
  else if (has('import', 'recv-keys')) call.note('changes', `takes in keys (gpg ${objects})`);
  const out = values.get('output');
  if (out !== undefined) call.writes(out, 'writes');
}
