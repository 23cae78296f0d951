import type { Server } from 'node:http';
import websocket from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { AgentDoor } from '../../agent-host/link/agent-link.ts';
import { createWebSocketTransport, LINK_SOCKET_OPTIONS } from '../../agent-host/link/web-socket-transport.ts';
import { LINK_PATH } from '../../contract/link.ts';
import type { App } from '../app.ts';
import { bearerToken } from '../identity.ts';
import { AS_AGENT } from '../openapi.ts';
import { pageHost } from '../perimeter.ts';
import { type HttpRefusal, refuse } from '../problem-response.ts';
import { responses } from '../responses.ts';

/**
 * Must come before any hook that may answer. The plugin's own hook marks upgrades, and the socket of an unmarked upgrade would stay
 * open after a refusal.
 */
export async function addWebSockets(app: App, admittedUpgrades: Server): Promise<void> {
  await app.register(websocket, {
    options: { ...LINK_SOCKET_OPTIONS, server: admittedUpgrades },
    // A stopped agent answers no close, and an open socket would keep the server from closing.
    preClose(done) {
      for (const client of this.websocketServer.clients) client.terminate();
      done();
    },
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.ws) reply.header('connection', 'close');
    done();
  });
}

export function addAgentSocket(app: App, door: AgentDoor): void {
  app.route({
    method: 'GET',
    url: LINK_PATH,
    schema: SCHEMA,
    config: { unlimited: true },
    onRequest: (request, reply, done) => {
      const refusal = request.ws ? admissionRefusal(request, door) : UPGRADE_REQUIRED;
      if (refusal === undefined) return done();
      reply.send(refusal);
    },
    handler: (_request, reply) => reply.send(UPGRADE_REQUIRED),
    wsHandler: (socket) => door.attach(createWebSocketTransport(socket)),
  });
}

/** `admit` comes last: it spends the token, and nothing may fail between it and the upgrade. */
function admissionRefusal(request: FastifyRequest, door: AgentDoor): HttpRefusal | undefined {
  const { headers } = request;
  if (headers.origin !== undefined) {
    return refuse('origin_not_allowed', 'Agents send no Origin; pages are not agents.', { from: pageHost(headers) });
  }
  return handshakeRefusal(headers) ?? tokenRefusal(door.admit(bearerToken(request)));
}

/** Faults of the handshake that `ws` would answer without a problem body. */
function handshakeRefusal(headers: FastifyRequest['headers']): HttpRefusal | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return UPGRADE_REQUIRED;
  if (headers['sec-websocket-version'] !== '13') {
    return refuse('upgrade_required', 'Sec-WebSocket-Version: 13 is expected.', {
      headers: { ...UPGRADE_REQUIRED.headers, 'sec-websocket-version': '13' },
    });
  }
  if (/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) return undefined;
  return refuse('bad_request', 'A Sec-WebSocket-Key of 16 bytes in base64 is expected.');
}

function tokenRefusal(admission: ReturnType<AgentDoor['admit']>): HttpRefusal | undefined {
  switch (admission) {
    case 'ok':
      return undefined;
    case 'invalid':
      return refuse('agent_token_invalid', 'Authorization: Bearer <token> is expected, with a token not used before.');
    case 'already_connected':
      return refuse('agent_already_connected', 'Another agent is connected; only one is served.');
  }
}

const UPGRADE_REQUIRED = refuse('upgrade_required', 'This is the WebSocket of the device agent; see /docs.', {
  headers: { upgrade: 'websocket' },
});

const SCHEMA = {
  tags: ['Agent'],
  security: AS_AGENT,
  operationId: 'connectAgent',
  summary: 'The WebSocket of the device agent',
  response: responses({ 101: Type.Null() }, ['upgrade_required', 'agent_token_invalid', 'agent_already_connected']),
};
