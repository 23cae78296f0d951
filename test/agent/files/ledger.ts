import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every name below a folder with its kind, permissions, inode, size and hash. The desktop's own trash counts too. */
export function ledgerOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return names.map((name) => {
    const path = join(folder, name);
    const facts = lstatSync(path);
    const line = [name, facts.mode.toString(8), facts.ino];
    if (facts.isSymbolicLink()) return [...line, readlinkSync(path)].join(' ');
    return facts.isFile() ? [...line, facts.size, hash('sha256', readFileSync(path))].join(' ') : line.join(' ');
  });
}
