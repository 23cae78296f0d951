import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { PolicyFile } from '../contract/policy.ts';
import type { ProfileList } from '../contract/profile.ts';
import { policyOf } from '../domain/policy.ts';
import { DEFAULT_PROFILE } from '../domain/profile.ts';
import { CommandError, EXIT } from './command.ts';

export type LineFault = { line: number; message: string };

/** A file of profiles: JSON with comments. `lineOf`: where a JSON Pointer leads. */
export type ReadPolicy = { policy: PolicyFile; lineOf(pointer: string): number } | { faults: LineFault[] };

export function readPolicy(folder: string, file: string): ReadPolicy {
  const path = resolve(folder, file);
  try {
    return policyIn(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be read: ${why}`, EXIT.usage);
  }
}

export function policyIn(text: string): ReadPolicy {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root === undefined) return { faults: [{ line: 1, message: 'the file is empty' }] };
  if (error !== undefined)
    return { faults: [{ line: lineAt(error.offset), message: `not JSON: ${printParseErrorCode(error.error)}` }] };
  const twice = repeatedIn(root);
  const lineOf = (pointer: string) => lineAt(nodeAt(root, pointer).offset);
  const read = twice.length === 0 ? policyOf(plainValue(root)) : { faults: [] };
  if ('policy' in read) return { ...read, lineOf };
  const faults = read.faults.map(({ pointer, message }) => ({
    line: lineOf(pointer),
    message: `${pointer || 'the file'} ${message}`,
  }));
  const repeated = twice.map((node) => ({
    line: lineAt(node.offset),
    message: `${JSON.stringify(node.value)} stands twice in one object`,
  }));
  return { faults: [...repeated, ...faults].toSorted((one, other) => one.line - other.line) };
}

/** Names that an object has twice. Readers of JSON differ in which of the two they take. */
function repeatedIn(node: Node): Node[] {
  const names = node.type === 'object' ? (node.children ?? []).flatMap(({ children: [name] = [] }) => name ?? []) : [];
  const here = names.filter((name, index) => names.findIndex(({ value }) => value === name.value) !== index);
  return [...here, ...(node.children ?? []).flatMap(repeatedIn)];
}

/** An object takes any name as its own, also `__proto__`, so that the check sees it. */
function plainValue({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(plainValue);
  if (type !== 'object') return value;
  return Object.fromEntries(
    children.flatMap(({ children: [name, content] = [] }) =>
      name === undefined || content === undefined ? [] : [[String(name.value), plainValue(content)]],
    ),
  );
}

/** Where a pointer leads; where something is missing, the object that lacks it. */
function nodeAt(root: Node, pointer: string): Node {
  let node = root;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const next = node.type === 'array' ? node.children?.[Number(name)] : memberOf(node, name);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

function memberOf(node: Node, wanted: string): Node | undefined {
  return node.children?.find(({ children: [name] = [] }) => name?.value === wanted)?.children?.[1];
}

/** The person's profiles and the built-in ones in force, as such a file. */
export function policyText({ items, assignments }: ProfileList): string {
  const isElseGiven = assignments.some(({ userId }) => userId === '*');
  const all = isElseGiven ? assignments : [...assignments, { userId: '*', profile: DEFAULT_PROFILE }];
  const profiles = items.flatMap(({ builtIn, ...profile }) => {
    const users = all.filter((each) => each.profile === profile.name).map(({ userId }) => userId);
    if (builtIn && users.length === 0) return [];
    const whom =
      users.length === 0 ? 'nobody' : users.map((user) => (user === '*' ? 'everybody else' : user)).join(', ');
    const text = JSON.stringify(profile, undefined, 2).replaceAll('\n', '\n    ');
    return [`    // Applies to ${whom}.${builtIn ? ' Built in: give it another name to change it.' : ''}\n    ${text}`];
  });
  return `{
  "profiles": [
${profiles.join(',\n')}
  ],
  // Actions with the verdict that you expect, for \`handrail policy test\`.
  "examples": []
}
`;
}
