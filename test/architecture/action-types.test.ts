import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PERFORMERS } from '../../agent/performers.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';

const root = join(import.meta.dirname, '../..');

/** Its module, its result on the wire, the agent's list of types, the drivers, the examples of the API description, the demo, and commands that stand for one type. */
const MAY_NAME_A_TYPE = [
  /^src\/domain\/catalogue\//,
  /^src\/contract\/action-data\.ts$/,
  /^agent\/performers\.ts$/,
  /^agent\/drivers\//,
  /^src\/contract\/examples\.ts$/,
  /^src\/http\/record-examples\.ts$/,
  /^src\/demo\//,
  /^src\/cli\/commands\/(act|open)\.ts$/,
  // Each member of a vendor's schema is a row of a table, with the action that it stands for.
  /^src\/computer-use\/(?:anthropic|openai|gemini|member|input-steps)\.ts$/,
];

function productFiles(): string[] {
  return ['src', 'agent', 'renderer/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(cjs|ts|tsx)$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** The action types that a source names, as a string ('OpenApp') or as the key of a table (OpenApp: …). */
function typesNamedIn(text: string): string[] {
  return [...CATALOGUE.keys()].filter((name) => new RegExp(`(['"\`])${name}\\1|^\\s*${name}:`, 'm').test(text));
}

test('no file names an action type but its module, the agent, the examples, the demo and the tables of vendors: a type describes itself', () => {
  const files = productFiles().filter((file) => !MAY_NAME_A_TYPE.some((pattern) => pattern.test(file)));
  expect(files.length).toBeGreaterThan(400);
  const found = files.flatMap((file) =>
    typesNamedIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file} names ${name}`),
  );
  expect(found).toEqual([]);
});

test('the agent carries out each action type', () => {
  expect([...CATALOGUE.keys()].filter((name) => !PERFORMERS.has(name))).toEqual([]);
});

test('each action type is named by one module of the catalogue', () => {
  const modules = productFiles().filter((file) => file.startsWith('src/domain/catalogue/'));
  const texts = modules.map((file) => readFileSync(join(root, file), 'utf8'));
  const counts = [...CATALOGUE.keys()].map((name) => [
    name,
    texts.filter((text) => typesNamedIn(text).includes(name)).length,
  ]);
  expect(counts).toEqual([...CATALOGUE.keys()].map((name) => [name, 1]));
});

/** `| [`Wait`](catalogue/hands/desktop.ts) | none | `pure` | low | |`, of which the risk is a sentence for people. */
const ROW = /^\| \[`(\w+)`\]\(catalogue\/[\w/-]+\.ts\) +\| (.+?) +\| `(\w+)` +\| .+? +\| +(yes)? *\|$/gm;

test('the table of RULES.md has each action type, with its capability, its effect class and whether it can be undone', () => {
  const table = [...readFileSync(join(root, 'src/domain/RULES.md'), 'utf8').matchAll(ROW)];
  const rows = table.map(([, name, capability = '', effectClass, irreversible]) => {
    const [always] = capability.replaceAll('`', '').split(';');
    return [name, always, effectClass, irreversible === 'yes'];
  });
  const types = [...CATALOGUE.values()].map(({ name, capability, effectClass, isIrreversible }) => {
    return [name, capability ?? 'none', effectClass, isIrreversible];
  });
  expect(rows.toSorted()).toEqual(types.toSorted());
});

test('the rule sees a type in quotation marks of each kind, and not its name in a sentence', () => {
  expect(typesNamedIn(`type === 'OpenApp' || type === "QuitApp" || type === \`Wait\``)).toEqual([
    'OpenApp',
    'QuitApp',
    'Wait',
  ]);
  expect(typesNamedIn('const LABELS = {\n  OpenApp: "opens",\n};')).toEqual(['OpenApp']);
  expect(typesNamedIn(`'for Wait: its duration', OpenAppParameters`)).toEqual([]);
});
