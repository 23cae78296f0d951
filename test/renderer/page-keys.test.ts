import { expect, test } from 'vitest';
import { createPageKeys, type KeyStore } from '../../renderer/src/wire/page-keys.ts';
import { PROOF_HEADER, readProof } from '../../src/contract/session-proof.ts';
import { createProofCheck } from '../../src/services/sessions/session-proofs.ts';
import { digestOf } from '../../src/services/sessions/sign-in-codes.ts';

const ORIGIN = 'http://127.0.0.1:3001';
const headers = { authorization: 'Bearer k' };

function memory() {
  const kept = new Map<string, CryptoKey>();
  const store: KeyStore = {
    get: async (name) => kept.get(name),
    put: async (name, key) => void kept.set(name, key),
  };
  return { kept, store };
}

/** A page, and what it sends. */
function pageOn(store: KeyStore) {
  const sent: { input: unknown; headers: Headers }[] = [];
  const keys = createPageKeys({ store, origin: ORIGIN });
  const fetch = keys.signing(async (input, init) => {
    sent.push({ input, headers: new Headers(init?.headers) });
    return new Response();
  });
  return { keys, fetch, sent, proofs: () => sent.map((each) => each.headers.get(PROOF_HEADER) ?? undefined) };
}

test('A27: the daemon takes what the page signs: method, path as the browser sends it, body and session', async () => {
  const { store } = memory();
  const { keys, fetch, sent } = pageOn(store);
  const { publicKey, keep } = await keys.make();
  await keep('k');
  const check = createProofCheck({ publicKey, after: '0' });
  const calls: [target: string, path: string, init: RequestInit][] = [
    ['/api/console/status', '/api/console/status', {}],
    ['/api/console/runs?text=%27a%20b%27%C3%A4', "/api/console/runs?text='a b'ä", {}],
    ['/api/console/pause', '/api/console/pause', { method: 'POST' }],
    ['/api/console/settings', '/api/console/settings', { method: 'PUT', body: '{"a":"ä"}' }],
  ];
  for (const [target, path, init] of calls) {
    await fetch(path, { ...init, headers });
    const proof = sent.at(-1)?.headers.get(PROOF_HEADER);
    const call = { method: init.method ?? 'GET', target, proof };
    expect([path, check.fault('k', call), check.fault('other', call)]).toEqual([path, undefined, 'proof_wrong']);
    expect(readProof(proof)?.bodyDigest).toBe(digestOf(String(init.body ?? '')));
    check.spend(call);
  }
});

test('A27: a page that is loaded again signs with the same key, and no script can read it', async () => {
  const { store, kept } = memory();
  const { publicKey, keep } = await pageOn(store).keys.make();
  await keep('k');
  const [[name, key] = []] = [...kept];
  expect([name, key?.extractable, key?.usages]).toEqual([digestOf('k'), false, ['sign']]);
  await expect(crypto.subtle.exportKey('pkcs8', Object(key))).rejects.toThrow();
  const { fetch, proofs } = pageOn(store);
  await fetch('/', { headers });
  expect(
    createProofCheck({ publicKey, after: '0' }).fault('k', { method: 'GET', target: '/', proof: proofs()[0] }),
  ).toBe(undefined);
});

test('A27: no two calls have the same number, and later ones have larger ones', async () => {
  const { store } = memory();
  const { keys, fetch, proofs } = pageOn(store);
  await (await keys.make()).keep('k');
  for (let count = 0; count < 20; count += 1) await fetch('/', { headers });
  const numbers = proofs().map((proof) => BigInt(readProof(proof)?.number ?? 0));
  const sorted = numbers.toSorted((one, other) => (one < other ? -1 : 1));
  expect([new Set(numbers).size, numbers]).toEqual([20, sorted]);
});

const REPLAYED = () => Response.json({ code: 'console_session_required', reason: 'proof_replayed' }, { status: 401 });

test('a look that the browser sent twice is signed anew once; the answer to an act counts as lost, and nothing is sent again', async () => {
  const { store } = memory();
  const answers = [REPLAYED(), new Response('good'), REPLAYED(), REPLAYED(), REPLAYED()];
  const numbers: (string | undefined)[] = [];
  const keys = createPageKeys({ store, origin: ORIGIN });
  await (await keys.make()).keep('k');
  const fetch = keys.signing(async (_input, init) => {
    numbers.push(readProof(new Headers(init?.headers).get(PROOF_HEADER))?.number);
    return answers.shift() ?? new Response();
  });
  expect(await (await fetch('/api/console/runs', { headers })).text()).toBe('good');
  expect((await fetch('/api/console/runs', { headers })).status).toBe(401);
  await expect(fetch('/api/console/pause', { headers, method: 'POST' })).rejects.toThrow(TypeError);
  expect([numbers.length, new Set(numbers).size]).toEqual([5, 5]);
});

test('calls without a session, and of a session whose key is not here, are sent as they are', async () => {
  const { fetch, proofs } = pageOn(memory().store);
  await fetch('/api/tee/action-types');
  await fetch('/api/console/status', { headers });
  expect(proofs()).toEqual([undefined, undefined]);
});
