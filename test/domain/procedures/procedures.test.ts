import { describe, expect, test } from 'vitest';
import { idByName, nameInId } from '../../../src/contract/control-name.ts';
import type { ProcedureStep, ProcedureSubmission } from '../../../src/contract/procedure.ts';
import type { Control } from '../../../src/contract/screen.ts';
import type { Target } from '../../../src/contract/targets.ts';
import type { Assessment } from '../../../src/domain/catalogue/definition.ts';
import { CATALOGUE } from '../../../src/domain/catalogue.ts';
import { boundSchema, readArguments } from '../../../src/domain/procedures/bounds.ts';
import { procedureDigest, stepFlaw } from '../../../src/domain/procedures/cover.ts';
import { draftOf } from '../../../src/domain/procedures/make.ts';
import { namedSteps, procedureFaults, stepsOfRun } from '../../../src/domain/procedures/steps.ts';
import { stepsInWords } from '../../../src/domain/procedures/words.ts';
import { REPORT } from './report.ts';

const HOME = '/home/ann';
const GIVEN = { week: '2026-W48', copies: 2, kind: 'long', file: '~/Reports/48.txt' };

describe('values for a procedure', () => {
  test('within their bounds are taken, a path as an absolute one', () => {
    expect(readArguments(REPORT, GIVEN, HOME)).toEqual({
      ok: true,
      values: { ...GIVEN, file: '/home/ann/Reports/48.txt' },
    });
  });

  test.each([
    ['week', '2026-W481'],
    ['week', 'x2026-W48'],
    ['week', '2026-W48\n'],
    ['week', 48],
    ['copies', 0],
    ['copies', 1.5],
    ['copies', '2'],
    ['kind', 'Long'],
    ['kind', ['long']],
    ['file', '/home/ann/Other/48.txt'],
    ['file', '~/Reports'],
    ['file', '~/Reports/../.ssh/config'],
    ['file', '/home/ann/Reports/./x'],
    ['file', '/home/ann/Reports2/x'],
    ['file', 'Reports/48.txt'],
    ['file', '/home/ann/Reports/a\0b'],
  ])('%s as %j is refused', (name, value) => {
    const read = readArguments(REPORT, { ...GIVEN, [name]: value }, HOME);
    expect(read).toMatchObject({ ok: false, faults: [{ pointer: `/${name}` }] });
  });

  test('that are missing or unknown are refused, also under the names of an object', () => {
    const { week: _week, ...others } = GIVEN;
    const read = readArguments(REPORT, { ...others, constructor: 1, __proto__x: 1 }, HOME);
    expect(read).toMatchObject({
      ok: false,
      faults: [{ pointer: '/constructor' }, { pointer: '/__proto__x' }, { pointer: '/week', message: 'is missing' }],
    });
  });
});

test('the steps of a run follow one another, each with its expectation, its values and the name of its control', () => {
  const steps = stepsOfRun(REPORT, { ...GIVEN, file: '/home/ann/Reports/48.txt' }, 'dev_1');
  expect(steps.map(({ id, dependsOn = [] }) => [id, ...dependsOn])).toEqual([
    ['open'],
    ['open:expect', 'open'],
    ['week', 'open:expect'],
    ['week:expect', 'week'],
    ['kind', 'week:expect'],
    ['copies', 'kind'],
    ['save', 'copies'],
  ]);
  expect(steps[2]?.parameters).toEqual({
    value: '2026-W48',
    elementId: idByName({ app: 'Mousepad', role: 'textbox', name: 'Week', nth: 2 }),
  });
  expect(steps[3]).toMatchObject({ timeoutMs: 2_000, parameters: { element: { role: 'textbox', name: 'Week' } } });
});

const RESULT = { durationMs: 1, outputs: [], cut: [], changedFiles: [], changedFilesComplete: true };

describe('an exit code that a script must have', () => {
  const script = (parameters: object = {}) => ({ interpreter: 'sh', script: 'true', folder: '~/work', ...parameters });
  const step: ProcedureStep = { id: 'r', actionType: 'RunScript', parameters: script(), expect: { exitCode: 3 } };
  const procedure = { ...REPORT, parameters: {}, steps: [step], may: { critical: [], minutes: 5 } };

  test('is judged with its result and told in words', () => {
    expect(procedureFaults(procedure, HOME)).toEqual([]);
    const steps = stepsOfRun(procedure, {}, 'dev_1');
    expect(steps.map(({ id, parameters }) => [id, parameters])).toEqual([['r', script({ okExitCodes: [3] })]]);
    const { shortfall } = CATALOGUE.get('RunScript') ?? {};
    const message = (exitCode: number) => shortfall?.(steps[0]?.parameters, { ...RESULT, exitCode })?.message;
    expect([message(3), message(0)]).toEqual([undefined, 'The script ended with code 0 instead of 3.']);
    expect(stepsInWords(procedure, HOME)).toMatchObject([
      { id: 'r', sentence: expect.stringMatching(/, which must end with code 3$/u) },
    ]);
    const other = { ...procedure, steps: [{ ...step, expect: { exitCode: 4 } }] };
    expect(procedureDigest(other)).not.toBe(procedureDigest(procedure));
  });

  test('is refused where no script runs, and beside another expectation', () => {
    const faultsOf = (changed: Partial<ProcedureStep>) =>
      procedureFaults({ ...procedure, steps: [{ ...step, ...changed }] }, HOME).map(({ pointer }) => pointer);
    expect(faultsOf({ actionType: 'OpenApp' })).toEqual(['/steps/0/expect/exitCode']);
    expect(faultsOf({ expect: { exitCode: 3, text: 'Done' } })).toEqual(['/steps/0/expect']);
  });

  test('is proposed as 0, unless the agent named other codes or waited for something', () => {
    const ran = (parameters: object) => ({ actionType: 'RunScript', parameters: script(parameters), targets: [] });
    const wait = { actionType: 'WaitFor', parameters: { text: 'Done' }, targets: [] };
    const { draft } = draftOf('Run', [ran({}), ran({ okExitCodes: [1] }), ran({}), wait]);
    expect(draft.steps.map(({ expect: wanted }) => wanted)).toEqual([{ exitCode: 0 }, undefined, { text: 'Done' }]);
  });
});

describe('a file that must be there', () => {
  const write = (file: NonNullable<ProcedureStep['expect']>['file']): ProcedureStep => ({
    id: 'w',
    actionType: 'WriteFile',
    parameters: { path: '~/work/a.txt', content: 'a' },
    expect: { file: file as string, withinMs: 3_000 },
  });
  const { file: bound } = REPORT.parameters;
  const procedure = (step: ProcedureStep, critical: string[] = []): ProcedureSubmission => ({
    ...REPORT,
    parameters: bound === undefined ? {} : { file: bound },
    steps: [step],
    may: { critical, minutes: 5 },
  });

  test('is looked for by a step of its own, by its path or that of a parameter', () => {
    const byParameter = procedure(write({ $parameter: 'file' }));
    expect(procedureFaults(byParameter, HOME)).toEqual([]);
    expect(stepsOfRun(byParameter, { file: '/home/ann/Reports/48.txt' }, 'dev_1')[1]).toEqual({
      id: 'w:expect',
      actionType: 'ListFiles',
      targetDeviceId: 'dev_1',
      parameters: { path: '/home/ann/Reports/48.txt', limit: 1 },
      dependsOn: ['w'],
      retry: { maxAttempts: 5, backoffMs: 200 },
    });
    expect(stepsInWords(byParameter, HOME)[1]?.sentence).toBe('Look whether /home/ann/Reports/⟨file⟩ is there');
  });

  test('has a whole path or a known parameter', () => {
    const faultsOf = (step: ProcedureStep) => procedureFaults(procedure(step), HOME).map(({ pointer }) => pointer);
    expect(faultsOf(write('a.txt'))).toEqual(['/parameters/file', '/steps/0/expect/file']);
    expect(faultsOf(write({ $parameter: 'nobody' }))).toEqual(['/parameters/file', '/steps/0/expect/file']);
  });

  test('is in the digest, and is looked for unasked exactly where its step is named', () => {
    expect(procedureDigest(procedure(write('~/a')))).not.toBe(procedureDigest(procedure(write('~/b'))));
    expect(namedSteps(procedure(write('~/a')))).toEqual([]);
    expect(namedSteps(procedure(write('~/a'), ['w']))).toEqual(['w', 'w:expect']);
    expect(namedSteps(procedure({ ...write('~/a'), expect: { text: 'a' } }, ['w']))).toEqual(['w']);
  });

  test('is proposed for what was written or moved, as the parameter that its path became', () => {
    const wrote = (path: string) => ({ actionType: 'WriteFile', parameters: { path, content: 'a' }, targets: [] });
    const moved = { actionType: 'MoveFile', parameters: { from: '~/a', to: '~/b' }, targets: [] };
    const { draft } = draftOf('W', [wrote('/h/r/1'), moved], [wrote('/h/r/2'), moved]);
    expect(draft.steps.map(({ parameters, expect: wanted }) => [parameters.path, wanted?.file])).toEqual([
      [{ $parameter: 'path' }, { $parameter: 'path' }],
      [undefined, '~/b'],
    ]);
  });
});

test('a file may be moved, by paths that are fixed or come as parameters; a drag by places may not', () => {
  const step = (actionType: string, from: unknown, to: unknown) => ({ id: 'm', actionType, parameters: { from, to } });
  const withStep = (each: ReturnType<typeof step>) =>
    procedureFaults({ ...REPORT, steps: [...REPORT.steps, each] }, HOME).map(({ pointer }) => pointer);
  expect(withStep(step('MoveFile', '/home/ann/a', { $parameter: 'file' }))).toEqual([]);
  expect(withStep(step('Drag', { x: 1, y: 2 }, { elementId: '@3' }))).toEqual([
    '/steps/5/parameters/from/x',
    '/steps/5/parameters/from/y',
    '/steps/5/parameters/to/elementId',
  ]);
});

test('a name survives as an id, and nothing else is one', () => {
  const name = { app: 'Mousepad', site: 'example.org', role: 'button', name: 'Send “now”' };
  expect(nameInId(idByName(name))).toEqual(name);
  const others = ['', 'name:', 'name:{}', '@3', `${idByName(name)} `, 'name:{"role":"button","app":"A","name":"B"}'];
  expect(others.map(nameInId)).toEqual(others.map(() => undefined));
  expect(nameInId(idByName({ ...name, name: ' ' }))).toBeUndefined();
  expect(nameInId(idByName({ ...name, site: 'https://example.org/x' }))).toBeUndefined();
  expect(nameInId(idByName({ ...name, name: 'x'.repeat(201) }))).toBeUndefined();
});

test('a procedure with references, results, unknown steps or parameters, and bounds that no value meets is refused', () => {
  const [open] = REPORT.steps;
  const faulty = {
    ...REPORT,
    parameters: { ...REPORT.parameters, copies: { type: 'number' as const, minimum: 9, maximum: 1 } },
    steps: [
      ...REPORT.steps,
      { id: 'open', actionType: 'Fly', parameters: { elementId: '@3', text: { $from: 'open.data' } } },
      { id: 'x', actionType: 'TypeText', parameters: { text: { $parameter: 'nobody' } }, expect: {} },
      { ...open, id: 'y'.repeat(60), actionType: 'OpenApp', parameters: { appName: 'a' } },
    ],
    may: { critical: ['save', 'gone'], minutes: 5 },
  };
  expect(procedureFaults(faulty, HOME).map(({ pointer }) => pointer)).toEqual([
    '/parameters/copies',
    ...['/steps/5/id', '/steps/5/actionType', '/steps/5/parameters/elementId', '/steps/5/parameters'],
    ...['/steps/6/parameters/text', '/steps/6/expect', '/steps/7/id', '/may/critical'],
  ]);
  expect(procedureFaults(REPORT, HOME)).toEqual([]);
});

test('a step that has the id of the look after another one is refused, as no run could have both', () => {
  const file = '/home/ann/a';
  const write = { id: 'a', actionType: 'WriteFile', parameters: { path: file, content: 'a' } };
  const steps = (expect?: { file: string }) => [
    { ...write, ...(expect !== undefined && { expect }) },
    { ...write, id: 'a:expect' },
  ];
  const faultsOf = (expect?: { file: string }) =>
    procedureFaults({ ...REPORT, parameters: {}, steps: steps(expect), may: { critical: [], minutes: 5 } }, HOME);
  expect([faultsOf(), faultsOf({ file })]).toEqual([[], [expect.objectContaining({ pointer: '/steps/1/id' })]]);
});

test('a pattern that JSON Schema cannot tell is told in words', () => {
  const schemaOf = (pattern: string) => boundSchema({ type: 'text', maxLength: 8, pattern });
  expect(schemaOf('a|b')).toEqual({ type: 'string', maxLength: 8, pattern: '^(?:a|b)$' });
  expect(schemaOf('(?i)a|b')).toEqual({ type: 'string', maxLength: 8, description: 'matches (?i)a|b of RE2' });
});

test('a pattern that would take long to read is refused, and no further one is read', () => {
  const slow = { type: 'text' as const, maxLength: 2_000, pattern: '(a?){999}'.repeat(20) };
  const { kind: _kind, ...others } = REPORT.parameters;
  const faults = (parameters: typeof REPORT.parameters) => procedureFaults({ ...REPORT, parameters }, HOME);
  expect(faults({ ...others, slow, after: slow })).toEqual(
    expect.arrayContaining([{ pointer: '/parameters/slow', message: 'pattern repeats too much for 2000 characters' }]),
  );
  expect(faults({ ...others, slow, after: slow }).filter(({ pointer }) => pointer === '/parameters/after')).toEqual([]);
  const usual = { type: 'text' as const, maxLength: 200, pattern: '[\\pL\\pN -]{1,200}' };
  expect(faults({ ...others, kind: usual })).toEqual([]);
});

const ASSESSED = { risk: { level: 'medium', reasons: [] } } as unknown as Assessment;
const OF = {
  name: 'a',
  digest: 'd',
  untilMs: 1_000,
  critical: ['named'],
  most: {},
  folders: { '/r/a': ['/r'], '/r/b/c': ['/r', '/r/b'] },
};
const flaw = (id: string, assessed: Partial<Assessment>, more: { targets?: Target[]; nowMs?: number } = {}) =>
  stepFlaw(OF, { id, approved: 'high' }, { assessment: { ...ASSESSED, ...assessed }, targets: [], nowMs: 0, ...more });

test('N54: an approval covers a step as it was judged by its names, and what asks always only where the procedure names the step', () => {
  expect(flaw('x', {})).toBeUndefined();
  expect(flaw('x', { risk: { level: 'high', reasons: [] } })).toContain('asks in every run');
  expect(flaw('named', { risk: { level: 'high', reasons: [] } })).toBeUndefined();
  expect(flaw('named', { risk: { level: 'critical', reasons: [] } })).toContain('higher than by its names');
  expect(flaw('x', { sensitive: 'a terminal' })).toContain('asks in every run');
  expect(flaw('x', { done: { place: '~', did: 'replaced', what: 'a' } })).toContain('asks in every run');
  expect(flaw('x', { script: {} as never })).toContain('asks in every run');
  expect(flaw('named', { alwaysAsks: true })).toContain('always asks');
  expect(flaw('named', { isHidden: true })).toContain('always asks');
  expect(flaw('x', {}, { nowMs: 1_000 })).toContain('took longer');
  const file = (path: string, realPath: string) =>
    ({ kind: 'path', path, file: { path, realPath } }) as unknown as Target;
  expect(flaw('x', {}, { targets: [file('/r/a', '/r/a')] })).toBeUndefined();
  expect(flaw('x', {}, { targets: [file('/r/a', '/secret/a')] })).toContain('out of the folder');
  expect(flaw('x', {}, { targets: [file('/r/b/c', '/r/b/c')] })).toBeUndefined();
  expect(flaw('x', {}, { targets: [file('/r/b/c', '/r/d/c')] })).toContain('out of the folder');
});

const control = (name: string, role = 'button'): Control => ({
  app: { appName: 'Shop', alsoKnownAs: [], risks: [] },
  pid: 1,
  windowId: '0x1',
  windowTitle: 'Shop',
  role,
  name,
  bounds: null,
  isPassword: false,
  isEditable: role === 'textbox',
  url: 'https://example.org/cart',
  isOwn: false,
});
const at = (elementId: string, of: Control): Target => ({ kind: 'element', elementId, control: of });

test('what was done becomes steps by names; looks go, a wait becomes an expectation, a point and a focused field get names', () => {
  const point = { frameId: 'f', x: 3, y: 4 };
  const { draft, faults } = draftOf('Buy', [
    { actionType: 'DescribeScreen', parameters: {}, targets: [] },
    { actionType: 'Click', parameters: { elementId: '@3' }, targets: [at('@3', control('Cart'))] },
    { actionType: 'WaitFor', parameters: { windowTitle: 'Cart' }, targets: [] },
    {
      actionType: 'Click',
      parameters: point,
      targets: [{ kind: 'point', ...point, control: control('Pay'), at: { x: 1, y: 1 } }],
    },
    {
      actionType: 'TypeText',
      parameters: { text: 'Ann' },
      targets: [{ kind: 'focus', control: control('Name', 'textbox') }],
    },
    { actionType: 'Click', parameters: { elementId: '@4' }, targets: [at('@4', control(''))] },
  ]);
  const name = (of: string, role = 'button') => ({ app: 'Shop', site: 'example.org', role, name: of });
  expect(draft.steps).toEqual([
    { id: 's1', actionType: 'Click', target: name('Cart'), parameters: {}, expect: { window: 'Cart' } },
    { id: 's2', actionType: 'Click', target: name('Pay'), parameters: {} },
    { id: 's3', actionType: 'TypeText', target: name('Name', 'textbox'), parameters: { text: 'Ann' } },
    { id: 's4', actionType: 'Click', parameters: { elementId: '@4' } },
  ]);
  expect(faults).toEqual([{ pointer: '/steps/3/target', message: 'the control had no name' }]);
});

test('what differs in a second run becomes a parameter, a path in one folder a path; a secret is a fault', () => {
  const run = (text: string, path: string) => [
    {
      actionType: 'SetValue',
      parameters: { elementId: '@1', value: text },
      targets: [at('@1', control('Full name', 'textbox'))],
    },
    { actionType: 'WriteFile', parameters: { path, content: 'same' }, targets: [] },
  ];
  const { draft, faults } = draftOf('Save', run('Ann', '/home/ann/r/1.txt'), run('Ben', '/home/ann/r/2.txt'));
  expect(draft.parameters).toEqual({
    fullName: { type: 'text', maxLength: 200 },
    path: { type: 'path', under: '/home/ann/r' },
  });
  expect(draft.steps[1]?.parameters).toEqual({ path: { $parameter: 'path' }, content: 'same' });
  expect(faults).toEqual([]);
  const other = draftOf('Save', run('Ann', '/a/1'), run('Ann', '/a/1').slice(0, 1));
  expect(other.faults).toMatchObject([{ pointer: '/steps' }]);
  const secret = draftOf('Key', run('-----BEGIN OPENSSH PRIVATE KEY-----', '/a/1'));
  expect(secret.faults).toMatchObject([{ pointer: '/steps/0/parameters' }]);
});

test('a person reads each step with the names of parameters, its risk, and whether it asks in every run', () => {
  const words = stepsInWords(REPORT, HOME);
  expect(words.map(({ id, asks }) => [id, asks])).toEqual([
    ['open', false],
    ['open:expect', false],
    ['week', false],
    ['week:expect', false],
    ['kind', true],
    ['copies', true],
    ['save', true],
  ]);
  expect(words[2]?.sentence).toContain('⟨week⟩');
  expect(words[6]?.sentence).toContain('⟨file⟩');
});
