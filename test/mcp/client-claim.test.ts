import { expect, test } from 'vitest';
import { claimOf, sessionIdFor, userIdFor } from '../../src/mcp/client-claim.ts';

const initialize = (name: unknown) => ({ method: 'initialize', params: { clientInfo: { name, version: '1' } } });
const of2026 = (name: unknown) => ({
  method: 'tools/call',
  params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name } } },
});

test('a client names itself in initialize, or in each message since 2026', () => {
  expect(claimOf(initialize('claude-code'), undefined)).toEqual({ name: 'claude-code' });
  expect(claimOf(of2026('claude-code'), undefined)).toEqual({ name: 'claude-code' });
  expect(claimOf({ method: 'tools/list' }, undefined)).toBeUndefined();
});

test('a session id holds the name, so that a message without one has it too', () => {
  const id = sessionIdFor({ name: 'Ünï ‮evil' });
  expect(claimOf({ method: 'tools/list' }, id)).toEqual({ name: 'Ünï ‮evil' });
  expect(id).toMatch(/^[!-~]+$/);
  expect(sessionIdFor({ name: 'a' })).not.toBe(sessionIdFor({ name: 'a' }));
});

test.each(['', 'abc', `${'0'.repeat(36)}.`, `${'0'.repeat(36)}.${'A'.repeat(4_000)}`, '../../etc/passwd'])(
  'the made-up session id %# names nobody',
  (id) => {
    expect(claimOf({ method: 'tools/list' }, id)).toBeUndefined();
  },
);

test('M8: a name of 60,000 characters is cut, also in a session, and half of a surrogate pair is replaced', () => {
  const claim = claimOf(initialize('x'.repeat(60_000)), undefined);
  expect(claim?.name).toHaveLength(100);
  expect(sessionIdFor(claim ?? { name: '' }).length).toBeLessThan(400);
  expect(claimOf(initialize('a\ud800'), undefined)).toEqual({ name: 'a\ufffd' });
  expect(claimOf(initialize(5), undefined)).toBeUndefined();
  expect(claimOf(initialize('  '), undefined)).toBeUndefined();
});

test.each([
  ['claude-code', 'mcp:claude-code'],
  ['Visual Studio Code', 'mcp:Visual-Studio-Code'],
  ['a/../b\r\nx-user-id: ann', 'mcp:a-..-b-x-user-id:-ann'],
  ['日本', 'mcp:unnamed'],
])('a client named %j has a user id that fits the pattern', (name, userId) => {
  expect(userIdFor({ name })).toBe(userId);
  expect(userIdFor({ name })).toMatch(/^[A-Za-z0-9._@:+-]{1,128}$/);
});

test('a client without a name is nobody by name', () => {
  expect(userIdFor(undefined)).toBe('mcp:unnamed');
});
