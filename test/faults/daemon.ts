import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import type { JournalEvent } from '../../src/domain/journal/journal-event.ts';
import type { Store } from '../../src/store/store.ts';
import { fallenBlows, takePart } from './blows.ts';

/** The real daemon, watched where it writes to its store. It runs bundled (`build.ts`). Its argument is the folder with what is to befall it. */
enableCompileCache();
const [{ startDaemon }, { readSettings }, { createStore }, { MIGRATIONS }] = await Promise.all([
  import('../../src/daemon/daemon.ts'),
  import('../../src/own-daemon/settings.ts'),
  import('../../src/store/store.ts'),
  import('../../src/store/database/migrations.ts'),
]);

/** The moment within a migration. */
const CHANGED = 'the schema is changed';

const folder = String(process.argv[2]);
const blows = takePart(folder, 'daemon');
const settings = readSettings(process.env, process.platform);

const daemon = await startDaemon({
  settings,
  log: pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true })),
  environment: process.env,
  openStore: (options) => watchedStore(createStore({ ...options, migrations: schemaNow() })),
  agentEntry: { file: fileURLToPath(new URL('./watched-agent.js', import.meta.url)), args: [folder] },
});
process.stdout.write(`handrail listening on http://127.0.0.1:${daemon.port}\ndashboard ${daemon.dashboardAddress}\n`);
process.stdout.write(`code ${daemon.createSignInCode()}\ndesktop simulated, for tests\n`);
// Written at the end of a process otherwise, and this one will be killed.
flushCompileCache();

/** Each migration that is to be hit brings the schema of one more release. Later starts find the schemas of all of them. */
function schemaNow(): readonly string[] {
  const releases = fallenBlows(folder).filter((moment) => moment === CHANGED).length + (blows.isNext(CHANGED) ? 1 : 0);
  const later = Array.from({ length: releases }, (_, index) => `CREATE TABLE release_${index} (id TEXT) STRICT`);
  const { exec } = Database.prototype;
  Database.prototype.exec = function (this: Database.Database, sql) {
    exec.call(this, sql);
    if (sql === later.at(-1)) blows.reach(CHANGED);
    return this;
  };
  return [...MIGRATIONS, ...later];
}

function watchedStore(store: Store): Store {
  let appended: JournalEvent[] = [];
  return {
    ...store,
    journal: {
      ...store.journal,
      append(atMs, event) {
        store.journal.append(atMs, event);
        appended.push(event);
        blows.reach(`inside ${event.kind}`);
      },
    },
    write(durability, work) {
      appended = [];
      const result = store.write(durability, work);
      for (const { kind } of appended) blows.reach(`after ${kind}`);
      return result;
    },
    taskKeys: {
      ...store.taskKeys,
      find(userId, key) {
        const kept = store.taskKeys.find(userId, key);
        if (kept !== undefined) blows.reach('a key is used again');
        return kept;
      },
    },
  };
}
