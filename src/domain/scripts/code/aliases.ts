import { effectOf } from './calls.ts';
import type { Token } from './tokens.ts';

/** Names that stand for others: `import shutil as s`, `from os import remove as r`, `{ rmSync: r } = require('fs')`. */
export function aliasesIn(tokens: readonly Token[]): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name' || aliases.size > 500 || tokens[at - 1]?.text === 'as') continue;
    const alias = aliasOf(tokens, at) ?? importedFrom(tokens, at) ?? boundModule(tokens, at) ?? takenFrom(tokens, at);
    if (alias !== undefined) aliases.set(alias.name, alias.of);
  }
  return aliases;
}

type Alias = { name: string; of: string };

function aliasOf(tokens: readonly Token[], at: number): Alias | undefined {
  const [joint, other, text] = [tokens[at + 1]?.text, tokens[at + 2], tokens[at]?.text ?? ''];
  const isRenamed = joint === 'as' || (joint === ':' && effectOf(text) !== undefined);
  if (!isRenamed || other?.kind !== 'name' || other.text === text) return undefined;
  return { name: other.text, of: importedFrom(tokens, at)?.of ?? text };
}

/** `const NAME = require('MODULE')` */
function boundModule(tokens: readonly Token[], at: number): Alias | undefined {
  const [name, equals, module] = [tokens[at - 2], tokens[at - 1], tokens[at + 2]];
  if (tokens[at]?.text !== 'require' || equals?.text !== '=' || name?.kind !== 'name') return undefined;
  return module?.kind === 'string' ? { name: name.text, of: moduleName(module.text) } : undefined;
}

const LONGEST_LIST = 24;

/** `import { NAME, NAME } from 'MODULE'` and `const { NAME } = require('MODULE')` */
function takenFrom(tokens: readonly Token[], at: number): Alias | undefined {
  const name = tokens[at]?.text ?? '';
  if (!/^[{,]$/u.test(tokens[at - 1]?.text ?? '')) return undefined;
  const rest = tokens.slice(at + 1, at + LONGEST_LIST);
  const end = rest.findIndex(({ text }) => text === '}');
  const [joint, next, , module] = rest.slice(end + 1);
  const of = joint?.text === 'from' ? next : joint?.text === '=' && next?.text === 'require' ? module : undefined;
  return end >= 0 && of?.kind === 'string' ? { name, of: `${moduleName(of.text)}.${name}` } : undefined;
}

function moduleName(text: string): string {
  return text.replace(/^node:/u, '').replace('/', '.');
}

/** `from MODULE import NAME, NAME` */
function importedFrom(tokens: readonly Token[], at: number): Alias | undefined {
  const name = tokens[at]?.text ?? '';
  for (let back = at - 1; back >= 2 && back > at - 12; back -= 1) {
    const { text = '' } = tokens[back] ?? {};
    if (text === '\n' || text === ';') return undefined;
    if (text === 'import' && tokens[back - 2]?.text === 'from')
      return { name, of: `${tokens[back - 1]?.text}.${name}` };
  }
  return undefined;
}
