import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Prints the files that Node loads for the work of the thread. */
const SCRIPT = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import('./src/store/guardian/trend-assessor.ts');
  console.log(JSON.stringify(loaded));
`;

test('the thread that assesses trends loads no rules of actions and no schemas but those of Guardian, since it stays in memory', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { cwd: root, encoding: 'utf8' });
  const loaded = JSON.parse(output) as string[];
  const own = loaded.filter((url) => url.includes('/src/')).map((url) => url.slice(url.indexOf('/src/') + 1));
  expect(own).toContain('src/guardian/trends/trend.ts');
  expect(own.filter((file) => file.startsWith('src/domain/'))).toEqual([]);
  expect(own.filter((file) => file.startsWith('src/contract/')).toSorted()).toEqual([
    'src/contract/guardian.ts',
    'src/contract/ids.ts',
    'src/contract/insight-severities.ts',
    'src/contract/literals.ts',
  ]);
});
