import { expect, onTestFinished, test } from 'vitest';
import { pretendedDaemon } from './pretended-daemon.ts';
import { handrail, newHome } from './rig.ts';

const QUANTITY = { app: 'Chromium', window: 'Orders', role: 'textbox', name: 'Quantity' };
const PROCEDURE = {
  name: 'Order',
  parameters: { quantity: { type: 'number', minimum: 1, maximum: 9 }, city: { type: 'text', maxLength: 20 } },
  steps: [
    { id: 's1', actionType: 'SetValue', target: QUANTITY, parameters: { value: { $parameter: 'quantity' } } },
    { id: 's2', actionType: 'Click', target: { ...QUANTITY, role: 'button', name: 'Send' }, parameters: {} },
  ],
  may: { critical: [], minutes: 5 },
};
const KEPT = { ...PROCEDURE, userId: 'cli', version: 1, digest: 'sha256:00', changedAt: '2026-11-29T12:00:00.000Z' };

async function said(told: Parameters<typeof pretendedDaemon>[1], ...words: string[]) {
  const daemon = await pretendedDaemon({}, told);
  onTestFinished(() => daemon.end());
  const home = newHome();
  return handrail(['procedure', ...words], {
    home,
    environment: { HANDRAIL_DATA_DIR: home, HANDRAIL_PORT: String(daemon.port) },
  });
}

const made = (version: number, draft = PROCEDURE) => ({
  'POST /api/tee/procedures/draft': { body: { draft, faults: [] } },
  'PUT /api/tee/procedures': { body: { ...KEPT, ...draft, version } },
});

test('make tells how many steps and which parameters it kept, and that a procedure of the name was there', async () => {
  const first = await said(made(1), 'make', 'Order', 'act_1', 'act_2');
  expect(first).toMatchObject({ code: 0, errors: '' });
  expect(first.output).toBe(
    'Kept Order: 2 steps; parameters: quantity, city.\nIt asks for each run, until you approve it on the page Procedures.\n',
  );
  const again = await said(made(2, { ...PROCEDURE, parameters: {} as never }), 'make', 'Order', 'act_1');
  expect(again.output).toContain('Kept Order: 2 steps; no parameters.\nThe name was in use, so this is version 2.\n');
});

test('where an action is not there, make says under which user id it looked and how to name another', async () => {
  const body = { code: 'action_not_found', detail: 'There is no action act_1 among those of cli.', status: 404 };
  const { code, errors } = await said(
    { 'POST /api/tee/procedures/draft': { status: 404, body } },
    'make',
    'Order',
    'act_1',
  );
  expect(code).not.toBe(0);
  expect(errors).toContain('There is no action act_1 among those of cli.');
  expect(errors).toContain('--as mcp:claude-code');
});

const step = (id: string, actionType: string, rest = {}) => ({
  ...{ id, actionType, verdict: 'allow', rule: 'A grant lets it through.', target: null },
  ...{ risk: { level: 'medium', reasons: [] }, details: 'Would run. Nothing was done.', ...rest },
});
const tried = (...steps: unknown[]) => ({
  'GET /api/tee/intents': { body: { items: [{ procedure: 'Order', runsLeft: 2 }], nextCursor: null } },
  'GET /api/tee/procedures/Order': { body: KEPT },
  'POST /api/tee/intents': { body: { dryRun: true, steps } },
});

test('a try names each control as the person reads it', async () => {
  const ran = await said(
    tried(step('s1', 'SetValue'), step('s2', 'Click', { verdict: 'ask' })),
    ...['run', 'Order', 'quantity=2', 'city=Ulm', '--try'],
  );
  expect(ran.output.split('\n')).toEqual([
    's1  would run  SetValue on textbox "Quantity" of Chromium in a window titled "Orders"',
    's2  would ask you  Click on button "Send" of Chromium in a window titled "Orders"',
    'Nothing was done.',
    '',
  ]);
  expect(ran.code).toBe(0);
});

test('a try in which a step finds nothing says so and does not end well', async () => {
  const missing = 'Nothing on the screen answers to it.';
  const ran = await said(
    tried(step('s1', 'SetValue', { missing }), step('s2', 'Click', { verdict: 'block', rule: 'Blocked by a rule.' })),
    ...['run', 'Order', 'quantity=2', 'city=Ulm', '--try'],
  );
  expect(ran.output).toContain(
    `s1  would stop  SetValue on textbox "Quantity" of Chromium in a window titled "Orders"  ${missing}`,
  );
  expect(ran.output).toContain('s2  would be blocked  ');
  expect(ran.output).toContain('Blocked by a rule.');
  expect(ran.code).toBe(5);
});

test('values that are missing are told in words, each once', async () => {
  const errors = ['city', 'quantity'].map((name) => ({ pointer: `/parameters/${name}`, message: 'is missing' }));
  const detail = 'The procedure “Order” was not run: the parameter city is missing; the parameter quantity is missing.';
  const body = { status: 422, code: 'parameters_invalid', detail, errors };
  const ran = await said({ ...tried(), 'POST /api/tee/intents': { status: 422, body } }, 'run', 'Order');
  expect([ran.code, ran.errors]).toEqual([2, `handrail: ${detail} (parameters_invalid)\n`]);
});

test('a run whose step finds no control says what to do, and where it is mended', async () => {
  const message = 'Nothing on the screen answers to it.';
  const error = { code: 'target_gone', message, fix: 'Open its window.' };
  const body = {
    ...{ taskId: 'tsk_1', name: 'Procedure “Order”', status: 'failed', progress: { done: 1, total: 1 } },
    steps: [{ id: 's1', actionType: 'SetValue', targetDeviceId: 'dev_1', status: 'failed', error }],
  };
  const told = { ...tried(), 'POST /api/tee/intents': { body }, 'GET /api/tee/devices': { body: { items: [] } } };
  const ran = await said(told, 'run', 'Order', 'quantity=2', 'city=Ulm');
  expect(ran.output).toContain('Nothing on the screen answers to it. Open its window.');
  expect(ran.errors).toContain('/#/activity/tsk_1?view=tasks');
  expect(ran.code).toBe(5);
});
