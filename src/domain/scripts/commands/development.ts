import { type Call, type Handlers, readArguments } from '../call.ts';
import { type Danger, listed, shortened } from '../finding.ts';
import { hostOf } from './network.ts';

/** Version control, databases, clusters and clouds. */
export const DEVELOPMENT_COMMANDS: Handlers = {
  git: runGit,
  gh: runGh,
  glab: runGh,
  ...databases([
    'psql',
    'mysql',
    'mariadb',
    'sqlite3',
    'mongo',
    'mongosh',
    'redis-cli',
    'sqlcmd',
    'clickhouse-client',
    'influx',
    'cqlsh',
    'sqlplus',
    'duckdb',
  ]),
  dropdb: (call) =>
    call.note('deletes', `deletes the database ${listed(readArguments(call.args, { letters: 'hpU' }).operands)}`),
  mysqladmin: (call) =>
    call.args.includes('drop') && call.note('deletes', `deletes the database ${listed(call.args.slice(-1))}`),
  ...dumps(['pg_dump', 'pg_dumpall', 'mysqldump', 'mongodump']),
  kubectl: runKubectl,
  oc: runKubectl,
  terraform: (call) => infrastructure(call),
  tofu: (call) => infrastructure(call),
  pulumi: (call) => infrastructure(call),
  ...clouds([
    'aws',
    'gcloud',
    'az',
    'doctl',
    'hcloud',
    'fly',
    'flyctl',
    'heroku',
    'vercel',
    'netlify',
    'wrangler',
    'firebase',
    'supabase',
  ]),
  twine: (call) => call.note('sends', `publishes packages (${shortened(call.args.join(' '))})`),
};

type GitRule = {
  verb: RegExp;
  with?: RegExp;
  danger: Danger;
  words(rest: readonly string[], verb: string, call: Call): string;
};

/** The first rule whose verb and option fit counts. */
const GIT_RULES: readonly GitRule[] = [
  {
    verb: /^reset$/u,
    with: /^--(?:hard|merge|keep)$/u,
    danger: 'deletes',
    words: () => 'discards changes that are not committed (git reset)',
  },
  {
    verb: /^checkout$/u,
    with: /^(?:--|\.|-f|--force)$/u,
    danger: 'deletes',
    words: () => 'discards changes that are not committed (git checkout)',
  },
  { verb: /^restore$/u, danger: 'deletes', words: () => 'discards changes that are not committed (git restore)' },
  {
    verb: /^clean$/u,
    with: /^-[a-z]*f|^--force/u,
    danger: 'deletes',
    words: () => 'deletes files that are not in the repository (git clean)',
  },
  {
    verb: /^(?:branch|tag)$/u,
    with: /^-[a-zA-Z]*[dD]|^--delete/u,
    danger: 'deletes',
    words: (rest, verb) => `deletes the ${verb} ${listed(rest)}`,
  },
  {
    verb: /^(?:filter-branch|filter-repo|reflog|gc|prune|update-ref|rebase|replace)$/u,
    danger: 'overwrites',
    words: (_rest, verb) => `rewrites the history of the repository (git ${verb})`,
  },
  {
    verb: /^stash$/u,
    with: /^(?:drop|clear|pop)$/u,
    danger: 'deletes',
    words: () => 'deletes stashed changes (git stash)',
  },
  { verb: /^rm$/u, danger: 'deletes', words: (rest, _verb, { at }) => `deletes ${listed(rest.map(at))}` },
  {
    verb: /^(?:clone|submodule)$/u,
    danger: 'installs',
    words: ([address = '']) => `downloads the repository ${shortened(address)}`,
  },
  { verb: /^(?:pull|fetch)$/u, danger: 'installs', words: () => 'downloads commits' },
  {
    verb: /^remote$/u,
    with: /^(?:add|set-url)$/u,
    danger: 'sends',
    words: (rest) => `changes where commits are sent, to ${hostOf(rest.at(-1) ?? '')}`,
  },
  { verb: /^credential/u, danger: 'credentials', words: () => 'reads the passwords that git keeps' },
  {
    verb: /^config$/u,
    with: /hook|alias|command|editor|helper|insteadof|proxy|fsmonitor|pager|textconv|filter|\.program|askpass|template/iu,
    danger: 'persists',
    words: ([name = '']) => `changes the setting ${shortened(name)} of git, by which it starts or uses other programs`,
  },
  {
    verb: /^(?:config|commit|merge|add|mv|apply|am|cherry-pick|revert)$/u,
    danger: 'changes',
    words: (_rest, verb) => `changes the repository (git ${verb})`,
  },
];

function runGit(call: Call) {
  const { operands } = readArguments(call.args, { letters: 'cCmobu', words: ['git-dir', 'work-tree', 'message'] });
  const [verb = '', ...rest] = operands;
  const has = (pattern: RegExp) => call.args.some((arg) => pattern.test(arg));
  if (verb === 'push')
    return push(call, rest, has(/^(?:-[a-zA-Z]*f|--force|--force-with-lease|--mirror|--delete|-d|\+.+|:.+)/u));
  const rule = GIT_RULES.find((each) => each.verb.test(verb) && (each.with === undefined || has(each.with)));
  if (rule !== undefined) call.note(rule.danger, rule.words(rest, verb, call));
}

function push(call: Call, [remote = 'the server', ...names]: readonly string[], isForced: boolean) {
  call.note('sends', `sends commits to ${/[:/]/u.test(remote) ? hostOf(remote) : shortened(remote)}`);
  if (isForced)
    call.note('deletes', `overwrites the history on ${shortened(remote)} (git push ${listed(names) || '--force'})`);
}

function runGh(call: Call) {
  const [area = '', verb = '', ...rest] = readArguments(call.args).operands;
  const words = shortened([area, verb, ...rest].join(' '));
  if (verb === 'delete') call.note('deletes', `deletes on the network: ${words}`);
  else if (area === 'auth') call.note('credentials', `uses the keys of ${call.name} (${shortened(verb)})`);
  else if (area === 'secret' || area === 'ssh-key') call.note('credentials', `changes keys or secrets (${words})`);
  else if (/^(?:create|edit|merge|upload|comment|close|api)$/u.test(verb) || area === 'api')
    call.note('sends', `sends data: ${call.name} ${words}`);
}

function databases(names: readonly string[]): Handlers {
  const handler = (call: Call) => {
    const text = [
      ...call.args,
      call.command.input,
      ...call.upstream.flatMap(({ words, input }) => [...words.map((word) => word.text), input]),
    ].join('\n');
    noteStatements(call, text);
  };
  return Object.fromEntries(names.map((name) => [name, handler]));
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

function dumps(names: readonly string[]): Handlers {
  const handler = (call: Call) =>
    call.note('reads', `reads the whole database ${listed(readArguments(call.args, { letters: 'hpPUuf' }).operands)}`);
  return Object.fromEntries(names.map((name) => [name, handler]));
}

function runKubectl(call: Call) {
  const [verb = '', kind = '', ...rest] = readArguments(call.args, { letters: 'nfocl' }).operands;
  const object = shortened([kind, ...rest].join(' '));
  if (/^(?:delete|drain|evict)$/u.test(verb)) call.note('deletes', `deletes in the cluster: ${object}`);
  else if (/^secrets?(?:\/|$)/u.test(kind)) call.note('credentials', `reads secrets of the cluster: ${object}`);
  else if (/^(?:apply|create|patch|edit|replace|scale|set|rollout|label|cordon|cp)$/u.test(verb))
    call.note('changes', `changes the cluster: ${verb} ${object}`);
  else if (verb === 'exec' || verb === 'run') call.note('runs', `runs a command in the cluster: ${object}`);
}

function infrastructure(call: Call) {
  const verb = call.args.find((arg) => !arg.startsWith('-')) ?? '';
  if (/^(?:destroy|down)$/u.test(verb) || call.args.includes('-destroy'))
    call.note('deletes', `deletes the machines and data of ${call.name}`);
  else if (/^(?:apply|up|import|taint|state)$/u.test(verb))
    call.note('changes', `changes the machines and data of ${call.name}`);
}

function clouds(names: readonly string[]): Handlers {
  const handler = (call: Call) => {
    const { operands } = readArguments(call.args);
    const words = shortened(operands.slice(0, 4).join(' '));
    const copied = operands.filter((each) => /^(?:s3|gs):\/\//u.test(each));
    if (
      operands.some((each) =>
        /^(?:rm|rb|delete|destroy|purge|remove|terminate)(?:-|:|$)|:(?:delete|destroy|remove)$/u.test(each),
      )
    )
      call.note('deletes', `deletes in the cloud: ${call.name} ${words}`);
    else if (
      operands.some((each) => /(?:secret|credential|access-key|password|token|keys?)s?(?:-|$)|^configure$/u.test(each))
    )
      call.note('credentials', `uses keys or secrets: ${call.name} ${words}`);
    else if (copied.length > 0 && operands.at(-1) === copied.at(-1))
      call.note('sends', `sends ${listed(operands.slice(2, -1).map(call.at))} to ${listed(copied)}`);
    else if (
      operands.some((each) => /^(?:create|deploy|put|update|run|start|attach|cp|sync|publish)(?:-|$)/u.test(each))
    )
      call.note('changes', `changes the cloud: ${call.name} ${words}`);
  };
  return Object.fromEntries(names.map((name) => [name, handler]));
}
