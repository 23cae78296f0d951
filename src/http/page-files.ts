import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

/** A file of the page: its bytes, and the same compressed where that makes it smaller. */
export type PageFile = { type: string; bytes: Buffer; gzipped: Buffer | undefined };

export type PageFiles = {
  /** A script, style or picture by its name; nothing where there is none. It is read once: a file that changes has another name. */
  asset(name: string): Promise<PageFile | undefined>;
  /** The page itself, read each time; nothing where it is not built. */
  index(): Promise<Buffer | undefined>;
};

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The names that the build gives; none of them leads out of the folder. */
const NAME = /^\w[\w.-]*$/;

/**
 * The files of the built page, kept in memory. The person waits for them, and on a busy machine reading a file takes tens of
 * milliseconds.
 */
export function createPageFiles(folder: string): PageFiles {
  const kept = new Map<string, Promise<PageFile | undefined>>();
  const read = (path: string) => readFile(join(folder, path)).catch(nothingIfMissing);

  async function load(name: string, type: string): Promise<PageFile | undefined> {
    const bytes = await read(join('assets', name));
    if (bytes === undefined) {
      // Names that lead nowhere must not fill the memory, and the file may be built later.
      kept.delete(name);
      return undefined;
    }
    const small = await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
    return { type, bytes, gzipped: small.length < bytes.length ? small : undefined };
  }

  return {
    async asset(name) {
      const type = TYPES[extname(name)];
      if (type === undefined || !NAME.test(name)) return undefined;
      const known = kept.get(name) ?? load(name, type);
      kept.set(name, known);
      return known;
    },
    index: () => read('index.html'),
  };
}

function nothingIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
