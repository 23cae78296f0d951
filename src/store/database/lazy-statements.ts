import type Database from 'better-sqlite3';

/**
 * Makes a database compile each statement when it first runs. The store has more than two hundred statements, a start runs some forty of
 * them, and to compile all takes two thirds of the time in which the store opens. A mistake in a statement shows when it first runs.
 */
export function compileWhenRun(database: Database.Database): void {
  const compile = database.prepare.bind(database);
  Object.assign(database, { prepare: (sql: string) => new LazyStatement(() => compile(sql)) });
}

/** The part of a statement that the store uses. */
class LazyStatement {
  #compile: () => Database.Statement;
  #compiled: Database.Statement | undefined;

  constructor(compile: () => Database.Statement) {
    this.#compile = compile;
  }

  get(...parameters: unknown[]) {
    return this.#statement().get(...parameters);
  }

  all(...parameters: unknown[]) {
    return this.#statement().all(...parameters);
  }

  run(...parameters: unknown[]) {
    return this.#statement().run(...parameters);
  }

  iterate(...parameters: unknown[]) {
    return this.#statement().iterate(...parameters);
  }

  pluck(): this {
    return this.#shape((statement) => statement.pluck());
  }

  raw(): this {
    return this.#shape((statement) => statement.raw());
  }

  #statement(): Database.Statement {
    this.#compiled ??= this.#compileOnce();
    return this.#compiled;
  }

  /** Later calls go straight to the compiled statement, and do not gather their parameters in an array first. */
  #compileOnce(): Database.Statement {
    const compiled = this.#compile();
    Object.assign(this, {
      get: compiled.get.bind(compiled),
      all: compiled.all.bind(compiled),
      run: compiled.run.bind(compiled),
      iterate: compiled.iterate.bind(compiled),
    });
    return compiled;
  }

  #shape(change: (statement: Database.Statement) => Database.Statement): this {
    const compile = this.#compile;
    this.#compile = () => change(compile());
    return this;
  }
}
