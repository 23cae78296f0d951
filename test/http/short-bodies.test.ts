import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { addTurns } from '../../src/http/charged-work.ts';
import { addJsonBodies } from '../../src/http/content-type.ts';
import { createSlowLane } from '../../src/services/work/slow-lane.ts';

test.each([
  [16_384, 0],
  [16_385, 1],
])('a body of %d bytes waits %d times for its turn', async (bytes, turns) => {
  const lane = createSlowLane();
  let taken = 0;
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  const turn = () => {
    taken += 1;
    return lane.turn();
  };
  addTurns(app, { budget: undefined, lane: { turn } });
  app.addHook('onRequest', (request, _reply, done) => {
    request.chargedTo = 'ann';
    done();
  });
  addJsonBodies(app);
  app.post('/', { schema: { body: Type.String() } }, async () => ({ ok: true }));
  const body = JSON.stringify('x'.repeat(bytes - 2));
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect([statusCode, taken]).toEqual([200, turns]);
  await app.close();
});
