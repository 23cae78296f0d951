import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { instructionsFor, toolsOf } from '../../src/mcp/tools.ts';

const tokens = (value: unknown) => encode(JSON.stringify(value)).length;

test('each action type is a tool, in the order of the catalogue, and the other seven follow', () => {
  const types = [...CATALOGUE.keys()].map((type) => type.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase());
  expect(toolsOf('full').map(({ name }) => name)).toEqual([
    ...types,
    'submit_task',
    'run_procedure',
    'get_task',
    'wait_for_action',
    'list_actions',
    'get_access',
    'list_devices',
  ]);
});

test('the short list has the tools that most agents need', () => {
  expect(toolsOf('slim').map(({ name }) => name)).toEqual([
    'click',
    'describe_screen',
    'focus_window',
    'list_files',
    'move_file',
    'open_app',
    'open_url',
    'press_keys',
    'quit_app',
    'read_file',
    'request_access',
    'run_script',
    'scroll',
    'take_screenshot',
    'type_text',
    'wait_for',
    'write_file',
    'wait_for_action',
  ]);
});

test('the lists cost at most 2,400 and 4,000 tokens, 180 for each tool', () => {
  const [slim, full] = [toolsOf('slim'), toolsOf('full')];
  expect(tokens(slim)).toBeLessThanOrEqual(2_400);
  expect(tokens(full)).toBeLessThanOrEqual(4_000);
  expect(full.filter((tool) => tokens(tool) > 180).map(({ name }) => name)).toEqual([]);
  expect(tokens(instructionsFor(full))).toBeLessThanOrEqual(180);
});

const annotationsOf = (named: string) => toolsOf('full').find(({ name }) => name === named)?.annotations;

test('the tools for the hands say what to do first', () => {
  const said = (named: string) => toolsOf('slim').find(({ name }) => name === named)?.description;
  expect(said('click')).toContain('Prefer elementId to x, y. Call request_access first.');
  expect(said('request_access')).toContain('before you act in an app');
  expect(instructionsFor([])).toContain('stale_frame');
});

test('the instructions name the tool for several steps, where the list has it', () => {
  expect(instructionsFor(toolsOf('full'))).toMatch(/For several steps in a row call submit_task once.*get_access/);
  expect(instructionsFor(toolsOf('slim'))).not.toMatch(/submit_task|get_access/);
});

test('the annotations follow from effect class and risk', () => {
  expect(annotationsOf('take_screenshot')).toEqual({ readOnlyHint: true, openWorldHint: false });
  expect(annotationsOf('open_app')).toEqual({ destructiveHint: false, idempotentHint: true, openWorldHint: false });
  expect(annotationsOf('move_file')).toEqual({ destructiveHint: false, openWorldHint: false });
  // Destructive by default, and in the open world.
  expect(annotationsOf('run_script')).toEqual({});
  expect(annotationsOf('trash_file')).toEqual({ openWorldHint: false });
});

test('a schema has the names, kinds and limits of the parameters, and what is required', () => {
  const quit = toolsOf('full').find(({ name }) => name === 'quit_app');
  expect(quit?.inputSchema).toEqual({
    type: 'object',
    properties: { appName: { type: 'string', description: 'display name, or bundle or desktop id' } },
    required: ['appName'],
  });
});

test('the list does not tell a parameter that a model rarely needs, and a call may have it', () => {
  const screen = toolsOf('full').find(({ name }) => name === 'describe_screen');
  expect(screen?.inputSchema.properties).not.toHaveProperty('format');
  expect(CATALOGUE.get('DescribeScreen')?.check({ format: 'json', maxElements: 10 })).toMatchObject({ ok: true });
});

test('only parameters that exist are left out', () => {
  const untold = [...CATALOGUE.values()].flatMap(({ name, parameters, untold: names }) =>
    names.filter((each) => !Object.hasOwn(Object(parameters).properties, each)).map((each) => `${name}.${each}`),
  );
  expect(untold).toEqual([]);
});
