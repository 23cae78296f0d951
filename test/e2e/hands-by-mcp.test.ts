import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected, textOf } from './mcp-clients.ts';
import { shareHands } from './shared.ts';

const { rig, daemon, person } = await shareHands({ HANDRAIL_MCP_WAIT_SECONDS: '2' }, { width: 1280, height: 800 });

test('a model asks for access once, reads the screen as text, and writes into the field by its reference', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'handrail-hands-')), 'note.txt');
  writeFileSync(path, '');
  await rig.open('mousepad', ['--disable-server', path]);
  const { client } = await connected(daemon.base, { door: 'http', protocol: '2026-07-28', name: 'writer' });
  /** An action of which one call does not see the end, because the machine is busy, is waited for. */
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    let result = await client.callTool({ name, arguments: args });
    await rig.until('the action runs no more', async () => {
      const { status, actionId } = Object(result.structuredContent);
      if (status !== 'running') return true;
      result = await client.callTool({ name: 'wait_for_action', arguments: { actionId } });
      return undefined;
    });
    return result;
  };

  const asked = await call('request_access', { apps: ['Mousepad'], allow: 'input', minutes: 10 });
  expect(asked.structuredContent).toMatchObject({ status: 'awaiting_confirmation' });
  expect((await person.answer('allow')).status).toBe(200);
  const { actionId } = Object(asked.structuredContent);
  expect((await call('wait_for_action', { actionId })).structuredContent).toMatchObject({ status: 'success' });

  const reference = await rig.until('the field is described', async () => {
    const [, found] = /^\s*textbox\b.*(@\d+)/mu.exec(textOf(await call('describe_screen'))) ?? [];
    return found;
  });
  const typed = await call('type_text', { elementId: reference, text: 'Größe: 3 × 4' });
  expect([typed.isError, textOf(typed)]).toEqual([undefined, expect.stringContaining('The desktop got it.')]);
  expect((await call('press_keys', { keys: 'ctrl+s' })).isError).toBeUndefined();
  await rig.until(
    'the file has the text',
    async () => readFileSync(path, 'utf8').trimEnd() === 'Größe: 3 × 4' || undefined,
  );
  expect(await person.prompts()).toEqual([]);

  // A number that leads nowhere is no element.
  const lost = await call('click', { elementId: '@9999' });
  expect(lost).toMatchObject({ isError: true, structuredContent: { error: { code: 'target_gone' } } });
  expect(textOf(lost)).toContain('Take a new look');
});
