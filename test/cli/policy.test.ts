import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { policyIn, policyText } from '../../src/cli/policy-file.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { BUILT_IN_PROFILES } from '../../src/domain/profile.ts';
import { handrail, newHome } from './rig.ts';

const OFFICE =
  '{ "name": "office", "byLevel": { "low": "allow", "medium": "ask", "high": "ask", "critical": "block" }, "rules": [] }';

/** Runs a command on a file with this text, without any daemon. */
async function on(text: string, ...words: string[]) {
  const home = newHome();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'policy.jsonc'), text);
  const [first = '', ...others] = words;
  return handrail(['policy', first, 'policy.jsonc', ...others], { home, folder: home });
}

describe('policy check', () => {
  test('takes JSON with comments and trailing commas, and needs no daemon', async () => {
    const text = `// mine\n{ "profiles": [${OFFICE},], /* none yet */ "examples": [] }`;
    expect(await on(text, 'check')).toEqual({ code: 0, output: 'Good: 1 profile, 0 examples.\n', errors: '' });
    expect((await on(text, 'check', '--json')).output).toBe('{"faults":[]}\n');
  });

  test('tells each fault with its line', async () => {
    const text = `{
  "profiles": [
    {
      "name": "Office",
      "byLevel": { "low": "allow", "medium": "ask", "high": "ask" },
      "rules": [
        { "verdict": "ask", "hours": { "from": "8:00", "to": "17:00" } },
        { "verdict": "deny", "aps": ["Mail"] }
      ]
    }
  ]
}`;
    const { code, output, errors } = await on(text, 'check');
    expect({ code, errors }).toEqual({ code: 1, errors: '' });
    expect(output.trimEnd().split('\n')).toEqual([
      'line 4: /profiles/0/name must be a lower-case word of at most 40 letters, digits and hyphens',
      'line 5: /profiles/0/byLevel/critical is required',
      expect.stringMatching(/^line 7: \/profiles\/0\/rules\/0\/hours\/from /),
      'line 8: /profiles/0/rules/1/verdict must be one of allow, ask, block',
      expect.stringMatching(/^line 8: \/profiles\/0\/rules\/1\/aps is not known here: known are verdict, levels/),
    ]);
  });

  test.each([
    ['an empty file', '', 'line 1: the file is empty'],
    ['a text that is no JSON', '{\n  "profiles": [,\n}', 'line 2: not JSON: '],
    [
      'a name that stands twice',
      `{ "profiles": [${OFFICE}],\n"profiles": [] }`,
      'line 2: "profiles" stands twice in one object',
    ],
    [
      'a name of the prototype',
      `{ "profiles": [${OFFICE}],\n"__proto__": {} }`,
      'line 2: /__proto__ is not known here',
    ],
    [
      'two profiles of one name',
      `{ "profiles": [${OFFICE},\n${OFFICE}] }`,
      'line 2: /profiles/1/name is the name of another',
    ],
    [
      'a built-in profile that was changed',
      `{ "profiles": [\n${OFFICE.replace('office', 'assist')}] }`,
      'line 2: /profiles/0/name cannot be stored. The profile assist is built in',
    ],
    [
      'an example of no known type',
      `{ "profiles": [${OFFICE}],\n"examples": [{ "actionType": "Fly", "verdict": "ask" }] }`,
      'line 2: /examples/0/actionType is not known: there is no Fly',
    ],
    [
      'an example with wrong parameters',
      `{ "profiles": [${OFFICE}], "examples": [{ "actionType": "Wait",\n"parameters": { "durationMs": "long" }, "verdict": "ask" }] }`,
      'line 2: /examples/0/parameters/durationMs must be',
    ],
    [
      'an example of a profile that is not there',
      `{ "profiles": [${OFFICE}],\n"examples": [{ "profile": "home", "actionType": "ListWindows", "verdict": "ask" }] }`,
      'line 2: /examples/0/profile is not in the file: there are office',
    ],
  ])('refuses %s', async (_what, text, fault) => {
    const { code, output } = await on(text, 'check');
    expect([code, output]).toEqual([1, expect.stringContaining(fault)]);
  });

  test('a file that is not there is wrong usage', async () => {
    expect(await handrail(['policy', 'check', 'none.jsonc'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('cannot be read'),
    });
  });
});

const EXAMPLES = (examples: string) => `{
  "profiles": [{
    "name": "office",
    "byLevel": { "low": "allow", "medium": "ask", "high": "ask", "critical": "block" },
    "requirePlan": true,
    "rules": [
      { "verdict": "allow", "levels": ["medium"], "apps": ["Text Editor"] },
      { "verdict": "block", "hours": { "from": "22:00", "to": "06:00" }, "effectClasses": ["once"] }
    ]
  }],
  "examples": [
    ${examples}
  ]
}`;

describe('policy test', () => {
  test.each([
    [
      'an app by a rule',
      '{ "actionType": "TypeText", "parameters": { "text": "a" }, "target": { "app": "Text Editor" }, "verdict": "allow" }',
    ],
    [
      'a control whose words are critical',
      '{ "actionType": "Click", "parameters": { "elementId": "@1" }, "target": { "app": "Text Editor", "role": "button", "name": "Delete" }, "isStep": true, "verdict": "ask" }',
    ],
    [
      'an hour',
      '{ "actionType": "TypeText", "parameters": { "text": "a" }, "target": { "app": "Text Editor" }, "at": "23:00", "verdict": "block" }',
    ],
    ['a single action that would ask', '{ "actionType": "TakeScreenshot", "verdict": "block" }'],
    ['the same as a step', '{ "actionType": "TakeScreenshot", "isStep": true, "verdict": "ask" }'],
    ['Handrail itself', '{ "actionType": "OpenApp", "parameters": { "appName": "Handrail" }, "verdict": "block" }'],
  ])('judges %s as the daemon does', async (_what, example) => {
    expect(await on(EXAMPLES(example), 'test')).toEqual({
      code: 0,
      output: '1 of 1 example as expected.\n',
      errors: '',
    });
    const other = example.replace(/"verdict": "\w+"/, (found) =>
      found.replace(/\w+"$/, found.includes('allow') ? 'ask"' : 'allow"'),
    );
    expect(await on(EXAMPLES(other), 'test')).toMatchObject({ code: 1 });
  });

  test('says which examples fail, and why', async () => {
    const good = '{ "actionType": "ListWindows", "verdict": "allow" }';
    const bad = '{ "profile": "office", "actionType": "TakeScreenshot", "isStep": true, "verdict": "allow" }';
    const text = EXAMPLES(`${good},\n    ${bad}`);
    expect(await on(text, 'test')).toEqual({
      code: 1,
      output:
        'line 13: under office expected allow, got ask. The profile office asks about actions of medium risk that none of its rules is about.\n1 of 2 examples as expected.\n',
      errors: '',
    });
    expect(JSON.parse((await on(text, 'test', '--json')).output)).toEqual({
      examples: 2,
      failed: [{ line: 13, profile: 'office', expected: 'allow', verdict: 'ask', rule: expect.any(String) }],
    });
  });

  test('an example without a profile is judged under every one', async () => {
    const lax = OFFICE.replace('office', 'lax').replace('"medium": "ask"', '"medium": "allow"');
    const text = `{ "profiles": [${OFFICE}, ${lax}], "examples": [{ "actionType": "TakeScreenshot", "verdict": "ask" }] }`;
    expect(await on(text, 'test')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^line 1: under lax expected ask, got allow\./),
    });
  });

  test('a file with faults is not judged', async () => {
    expect(await on('{ "profiles": [] }', 'test')).toMatchObject({
      code: 1,
      output: expect.stringContaining('/profiles must have at least one item'),
    });
  });
});

test('the file that CLI.md shows passes its own check and test', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../src/cli/CLI.md'), 'utf8');
  const [, file = ''] = /```jsonc\n(.*?)```/s.exec(document) ?? [];
  expect(await on(file, 'check')).toMatchObject({ code: 0, output: 'Good: 1 profile, 2 examples.\n' });
  expect(await on(file, 'test')).toMatchObject({ code: 0, output: '2 of 2 examples as expected.\n' });
});

describe('policy diff', () => {
  const file = `{ "profiles": [${OFFICE}] }`;

  test.each([
    ['a file with faults', '{}', [], 1],
    ['a profile that is not in the file', file, ['--profile', 'home'], 2],
    ['too many days', file, ['--days', '31'], 2],
    ['days that are no number', file, ['--days', '1e1'], 2],
    ['no daemon', file, [], 1],
  ])('%s ends it', async (_what, text, options, code) => {
    expect(await on(text, 'diff', ...options)).toMatchObject({ code });
  });
});

describe('policy export', () => {
  const office: Profile = JSON.parse(OFFICE);
  const builtIn = BUILT_IN_PROFILES.map((profile) => ({ ...profile, builtIn: true }));

  test('has the profiles of the person and the built-in ones in force, says to whom they apply, and passes the check', () => {
    const text = policyText({
      items: [
        ...builtIn,
        { ...office, requirePlan: true, builtIn: false },
        { ...office, name: 'spare', builtIn: false },
      ],
      assignments: [
        { userId: 'ann', profile: 'office' },
        { userId: 'bob', profile: 'trusted' },
      ],
    });
    const read = policyIn(text);
    if ('faults' in read) throw new Error(JSON.stringify(read.faults));
    const [, assist, trusted] = BUILT_IN_PROFILES;
    expect(read.policy).toEqual({
      profiles: expect.arrayContaining([
        assist,
        trusted,
        { ...office, requirePlan: true },
        { ...office, name: 'spare' },
      ]),
      examples: [],
    });
    expect(read.policy.profiles).toHaveLength(4);
    expect(text.split('\n').filter((line) => line.includes('//'))).toEqual([
      '    // Applies to everybody else. Built in: give it another name to change it.',
      '    // Applies to bob. Built in: give it another name to change it.',
      '    // Applies to ann.',
      '    // Applies to nobody.',
      '  // Actions with the verdict that you expect, for `handrail policy test`.',
    ]);
  });

  test('needs the daemon', async () => {
    expect(await handrail(['policy', 'export'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('No Handrail runs'),
    });
  });
});
