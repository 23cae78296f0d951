import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

/** Where `http` says what went wrong inside. Neither headers nor bodies ever go there. */
export type HttpLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
