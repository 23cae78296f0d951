import { type Call, type Handler, type Handlers, readArguments } from '../call.ts';
import { listed, shortened } from '../finding.ts';
import { hostOf } from './network.ts';
import { forAll, handlersOf, type Row } from './rows.ts';

const CLOUDS = 'aws gcloud az doctl hcloud fly flyctl heroku vercel netlify wrangler firebase supabase';
const CONTAINERS = 'docker podman nerdctl';
const COMPOSE = `${CONTAINERS} docker-compose`;

/** Programs of developers: repositories, databases, containers and clouds. */
export const DEVELOPMENT_ROWS: readonly Row[] = [
  ['deletes', 'discards changes that are not committed (git {first})', 'git', /^git reset.* --(?:hard|merge|keep)/u],
  [
    'deletes',
    'discards changes that are not committed (git {first})',
    'git',
    /^git checkout.* (?:--|\.|-f|--force)(?: |$)/u,
  ],
  ['deletes', 'discards changes that are not committed (git {first})', 'git', /^git restore/u],
  ['deletes', 'deletes files that are not in the repository (git clean)', 'git', /^git clean.* (?:-[a-z]*f|--force)/u],
  ['deletes', 'deletes the {first} {rest}', 'git', /^git (?:branch|tag) .* (?:-\w*[dD]|--delete)/u],
  ['deletes', 'deletes stashed changes (git stash)', 'git', /^git stash (?:drop|clear|pop)/u],
  ['deletes', 'deletes {rest}', 'git', /^git rm/u],
  [
    'overwrites',
    'rewrites the history of the repository (git {first})',
    'git',
    /^git (?:filter-|reflog|gc|prune|update-ref|rebase|replace)/u,
  ],
  ['installs', 'downloads the repository {second}', 'git', /^git (?:clone|submodule)/u],
  ['installs', 'downloads commits', 'git', /^git (?:pull|fetch)/u],
  ['sends', 'changes where commits are sent, to {last}', 'git', /^git remote (?:add|set-url)/u],
  ['credentials', 'reads the passwords that git keeps', 'git', /^git credential/u],
  [
    'persists',
    'changes the setting {second} of git, by which it starts or uses other programs',
    'git',
    /^git config .*(?:hook|alias|command|editor|helper|insteadof|proxy|fsmonitor|pager|textconv|filter|\.program|askpass|template)/iu,
  ],
  [
    'changes',
    'changes the repository (git {first})',
    'git',
    /^git (?:config|commit|merge|add|mv|apply|am|cherry-pick|revert)/u,
  ],
  ['credentials', 'uses keys or secrets', 'gh glab', /^\w+ (?:auth|secret|ssh-key)/u],
  ['sends', 'sends data', 'gh glab', /^\w+ (?:api|\S+ (?:create|edit|merge|upload|comment|close|api))/u],
  ['deletes', 'deletes on the network', 'gh glab', /^\w+ \S+ delete/u],
  ['deletes', 'deletes the database {last}', 'dropdb'],
  ['deletes', 'deletes the database {last}', 'mysqladmin', / drop /u],
  ['reads', 'reads the whole database {last}', 'pg_dump pg_dumpall mysqldump mongodump'],
  ['deletes', 'deletes in the cluster: {rest}', 'kubectl oc', /^\w+ (?:delete|drain|evict)/u],
  ['credentials', 'reads secrets of the cluster: {rest}', 'kubectl oc', /^\w+ \S+ secrets?(?:\/| |$)/u],
  [
    'changes',
    'changes the cluster: {paths}',
    'kubectl oc',
    /^\w+ (?:apply|create|patch|edit|replace|scale|set|rollout|label|cordon|cp)/u,
  ],
  ['runs', 'runs a command in the cluster: {rest}', 'kubectl oc', /^\w+ (?:exec|run)/u],
  ['deletes', 'deletes the machines and data', 'terraform tofu pulumi', /^\w+ (?:destroy|down)|-destroy/u],
  ['changes', 'changes the machines and data', 'terraform tofu pulumi', /^\w+ (?:apply|up|import|taint|state)/u],
  ['sends', 'sends files to the cloud', CLOUDS, /^\S+(?: \S+){1,4}? (?:cp|mv|sync|put) (?!(?:s3|gs):)[^·]*(?:s3|gs):/u],
  [
    'credentials',
    'uses keys or secrets',
    CLOUDS,
    / (?:configure|\S*(?:secret|credential|access-key|password|token|key)s?(?:[- ]|$))/u,
  ],
  ['deletes', 'deletes in the cloud', CLOUDS, /[ :](?:rm|rb|delete|destroy|purge|remove|terminate)(?:[-: ]|$)/u],
  ['changes', 'changes the cloud', CLOUDS, / (?:create|deploy|put|update|run|start|attach|cp|sync|publish)(?:[- ]|$)/u],
  ['sends', 'publishes packages', 'twine'],
  ['installs', 'downloads and runs {first}', 'npx bunx uvx pnpx'],
  [
    'protection',
    'runs a container with control of this computer',
    CONTAINERS,
    / (?:--privileged|--(?:pid|net)=host|(?:--volume=|-v ?)\/(?::| |$))/u,
  ],
  ['installs', 'downloads the container image {rest}', CONTAINERS, /^\w+ (?:image )?pull/u],
  ['sends', 'sends the container image {rest} to a registry', CONTAINERS, /^\w+ (?:image )?push/u],
  ['deletes', 'deletes containers, images or volumes', COMPOSE, /^\S+ (?:\w+ )?(?:rm|rmi|prune|down|remove)(?: |$)/u],
  ['stops', 'stops the containers', COMPOSE, /^\S+ (?:\w+ )?(?:stop|kill|restart|pause)(?: |$)/u],
  ['runs', 'runs containers', COMPOSE, / (?:run|exec|create|start|up|build)(?: |$)/u],
  ['installs', 'adds a place from which programs are installed', 'add-apt-repository apt-key apt-add-repository'],
  [
    'sends',
    'sends files or a mail',
    'xdg-email croc wormhole magic-wormhole ffsend kdeconnect-cli telegram-send ntfy signal-cli',
  ],
  [
    'sends',
    'opens this computer, so that others can connect to it',
    'ngrok cloudflared localtunnel lt bore chisel frpc',
  ],
];

const ROWS = handlersOf(DEVELOPMENT_ROWS);

/** Version control, databases, clusters and clouds. */
export const DEVELOPMENT_COMMANDS: Handlers = {
  ...ROWS,
  git: runGit,
  ...forAll('psql mysql mariadb sqlite3 mongo mongosh redis-cli sqlcmd clickhouse-client', noteDatabase),
  ...forAll('influx cqlsh sqlplus duckdb', noteDatabase),
};

function runGit(call: Call) {
  const { operands } = readArguments(call.args, { letters: 'cCmobu', words: ['git-dir', 'work-tree', 'message'] });
  const [verb = '', ...rest] = operands;
  if (verb !== 'push') return ROWS.git?.(call);
  const isForced = /^(?:-[a-zA-Z]*f|--force|--force-with-lease|--mirror|--delete|-d|\+.+|:.+)/u;
  push(
    call,
    rest,
    call.args.some((arg) => isForced.test(arg)),
  );
}

function push(call: Call, [remote = 'the server', ...names]: readonly string[], isForced: boolean) {
  call.note('sends', `sends commits to ${/[:/]/u.test(remote) ? hostOf(remote) : shortened(remote)}`);
  if (isForced)
    call.note('deletes', `overwrites the history on ${shortened(remote)} (git push ${listed(names) || '--force'})`);
}

function noteDatabase(call: Call) {
  const written = call.upstream.flatMap(({ words, input }) => [...words.map((word) => word.text), input]);
  noteStatements(call, [...call.args, call.command.input, ...written].join('\n'));
}

const DESTRUCTIVE =
  /\b(drop\s+(?:table|database|schema|view|index|user|role|keyspace)|truncate(?:\s+table)?|delete\s+from)\s+(?:if\s+exists\s+)?[`"[]?([\w.$-]{1,80})/giu;

/** Statements of SQL, Redis and MongoDB that delete or hand out data, wherever they stand in a text. */
export function noteStatements({ note }: Pick<Call, 'note'>, text: string): void {
  for (const [, verb = '', name = ''] of [...text.matchAll(DESTRUCTIVE)].slice(0, 20))
    note('deletes', `deletes from the database: ${verb.toUpperCase().replace(/\s+/gu, ' ')} ${name}`);
  if (/\b(?:FLUSHALL|FLUSHDB)\b/iu.test(text)) note('deletes', 'deletes all data of the database (FLUSHALL)');
  if (/\.(?:dropDatabase|drop|deleteMany|remove)\s*\(/u.test(text)) {
    const [statement = ''] = /[\w.]{0,80}\.(?:dropDatabase|drop|deleteMany|remove)\s*\([^\n]{0,80}/u.exec(text) ?? [];
    note('deletes', `deletes data of the database (${shortened(statement)})`);
  }
  const updated = /\bupdate\s+[`"[]?([\w.$-]{1,80})[`"\]]?\s+set\b/iu.exec(text)?.[1];
  if (updated !== undefined) note('overwrites', `changes the table ${updated} of the database`);
  if (/\binto\s+outfile\b|\bcopy\s[\s\S]{1,200}\bto\s+(?:program|')/iu.test(text))
    note('changes', 'writes data of the database to a file');
}

type Manager = { installs: RegExp; removes?: RegExp; runs?: RegExp };

const USUAL: Manager = {
  installs: /^(?:i|install|in|add|ci|reinstall|upgrade|update|up|dist-upgrade|full-upgrade|localinstall)$/u,
  removes: /^(?:remove|rm|uninstall|purge|autoremove|erase|un)$/u,
  runs: /^(?:dlx|exec|x|init|create)$/u,
};
const PACMAN: Manager = { installs: /^-(?:S|U)/u, removes: /^-R/u };

const VALUED = /^(?:-r|--requirement|-t|-c|-i|--index-url|--extra-index-url|--prefix|--registry|-target)$/u;

const USUAL_NAMES =
  'apt apt-get aptitude dnf yum zypper apk brew port snap flatpak nix choco pip pip2 pip3 uv poetry conda mamba gem cargo go composer mas pkg easy_install cpan luarocks helm krew asdf mise sdk npm pnpm yarn bun';

/** Programs that install or remove other programs. */
export const PACKAGE_COMMANDS: Handlers = {
  ...forAll(USUAL_NAMES, managed(USUAL)),
  ...forAll('pacman yay', managed(PACMAN)),
  pipx: managed({ ...USUAL, runs: /^run$/u }),
  dpkg: managed({ installs: /^(?:-i|--install|--unpack)$/u, removes: /^(?:-r|-P|--remove|--purge)$/u }),
  rpm: managed({ installs: /^(?:-\w*[iUF]\w*|--install|--upgrade)$/u, removes: /^(?:-e|--erase)$/u }),
  code: managed({ installs: /^--install-extension$/u }),
  installer: managed({ installs: /^-pkg$/u }),
  softwareupdate: managed({ installs: /^(?:-i|--install)$/u }),
};

function managed({ installs, removes, runs }: Manager): Handler {
  return (call) => {
    const args = call.name === 'uv' && call.args[0] === 'pip' ? call.args.slice(1) : call.args;
    const at = args.findIndex((arg) => installs.test(arg) || removes?.test(arg) === true || runs?.test(arg) === true);
    const verb = args[at];
    if (verb === undefined) return other(call);
    const names = args
      .slice(at + 1)
      .filter((arg, index, all) => !arg.startsWith('-') && !VALUED.test(all[index - 1] ?? ''));
    const objects = listed(names) || (call.name === 'go' ? 'a module' : `packages (${call.name} ${shortened(verb)})`);
    if (removes?.test(verb) === true) return call.note('deletes', `removes the program ${objects}`);
    if (runs?.test(verb) === true) return call.note('installs', `downloads and runs ${listed(names.slice(0, 1))}`);
    call.note('installs', `installs ${objects}`);
    if (args.some((arg) => /^(?:--(?:extra-)?index-url|--registry|-i)$/u.test(arg)))
      call.note('installs', 'takes packages from another place than the usual one');
  };
}

function other(call: Call) {
  const [verb = ''] = call.args;
  if (/^(?:-l|-s|-q\w*|list|ls|show|search|info|freeze|--list|--get-selections)$/u.test(verb))
    return call.note('looks', `lists programs (${shortened([call.name, ...call.args].join(' '))})`);
  if (/^(?:publish|push)$/u.test(verb)) call.note('sends', `publishes a package (${call.name})`);
  else if (verb === 'config' || verb === 'tap') call.note('changes', `changes where ${call.name} gets packages`);
  else if (verb === 'run' || verb === 'start' || verb === 'test')
    call.note('runs', `runs ${call.name} ${shortened(call.args.slice(0, 2).join(' '))}`);
}
