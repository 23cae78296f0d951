import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Short ways to files in the home folder of a rig. */
export function homeFolder(home: string) {
  const at = (path: string) => join(home, path);
  return {
    home,
    at,
    has: (path: string) => existsSync(at(path)),
    read: (path: string) => readFileSync(at(path), 'utf8'),
    write: (path: string, content: string | NodeJS.ArrayBufferView) => writeFileSync(at(path), content),
    makeFolder: (path: string) => mkdirSync(at(path), { recursive: true }),
    names: (path: string): string[] => readdirSync(at(path)).toSorted(),
  };
}
