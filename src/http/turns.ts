import type { FastifyRequest } from 'fastify';
import type { ConsoleService } from '../services/offered-services.ts';
import { nextTurn } from '../services/work/turns.ts';
import type { App } from './app.ts';
import { isPerson, requesterKey } from './identity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Resolves when it is this call's turn. The person does not wait for requesters. */
    turn(): Promise<void>;
  }
}

/** Lets requesters take turns: a call with a body before that is parsed, another one before its query is read. */
export function addTurns(app: App, console: Pick<ConsoleService, 'sessions'>): void {
  app.decorateRequest('turn', async function (this: FastifyRequest) {
    if (!this.routeOptions.config.unlimited && !isPerson(this, console)) await nextTurn(requesterKey(this));
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) void request.turn().then(() => done());
    else done();
  });
}
