import Database from 'better-sqlite3';

/** Reads the hashes of a journal by the numbers of its rows, also while a daemon uses it. A database that cannot be read has none. */
export function readHashes(path: string): { hashOf(seq: number): string | undefined; close(): void } | undefined {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const one = database.prepare<unknown[], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = ?').pluck();
    return { hashOf: (seq) => one.get(seq), close: () => database.close() };
  } catch {
    database.close();
    return undefined;
  }
}
