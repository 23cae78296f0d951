import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Paths from the project's folder; of a package its name. */
export type Import = { from: string; to: string };

/** Every import in the sources below some folders, of types too. */
export function importsBelow(...folders: readonly string[]): Import[] {
  return sourcesBelow(...folders).flatMap(importsOf);
}

export function sourcesBelow(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(cjs|ts|tsx)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const pattern = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|\brequire\(\s*)['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map((match) => ({ from: file, to: resolved(file, String(match[1])) }));
}

function resolved(file: string, specifier: string): string {
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier;
}
