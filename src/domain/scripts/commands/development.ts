import { type Call, type Handlers, readArguments } from '../call.ts';
import { listed, shortened } from '../finding.ts';
import { DEVELOPMENT_ROWS } from './development-rows.ts';
import { hostOf } from './network.ts';
import { forAll, handlersOf } from './rows.ts';

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
