import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { fastify } from 'fastify';
import type { AgentDoor } from '../services/agent-link/agent-link.ts';
import type { Services } from '../services/services.ts';
import { addNotFound } from './allowed-methods.ts';
import type { App, HttpLog } from './app.ts';
import { createClientErrorHandler } from './client-error.ts';
import { createConnections } from './connections.ts';
import { addJsonBodies } from './content-type.ts';
import { createGuardedServer } from './guarded-server.ts';
import { DEFAULT_LIMITS, type HttpLimits } from './limits.ts';
import { addProblems, replyToFrameworkError } from './problems.ts';
import { type HttpRefusal, refuse } from './refuse.ts';
import { addHealthRoutes } from './routes/health.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { validatorCompiler } from './validation.ts';

export type HttpServerOptions = {
  services: Services;
  /** Lets the device agent in at its socket. */
  agentDoor: AgentDoor;
  /** `off` lifts the limits on how often and how many at once, for benchmarks; sizes and timeouts stay. */
  rateLimits: 'on' | 'off';
  log: HttpLog;
  limits?: Partial<HttpLimits>;
};

/** The whole HTTP interface. It does not listen by itself: see `listen.ts`. `close()` ends every connection. */
export async function createHttpServer(options: HttpServerOptions): Promise<App> {
  const { services, log } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const onRefused = (refusal: HttpRefusal) => services.noteRefusal(refusal.refused);
  const connections = createConnections({
    max: options.rateLimits === 'on' ? limits.maxConnections : Number.POSITIVE_INFINITY,
    onReset: () => onRefused(refuse('rate_limited', 'too many connections')),
  });
  const shared = { limits, connections, onRefused, newRequestId: randomUUID };
  const admittedUpgrades = createServer();
  const app: App = fastify({
    serverFactory: (handler) => createGuardedServer({ ...shared, handler, admittedUpgrades }),
    clientErrorHandler: createClientErrorHandler(shared),
    frameworkErrors: (error, request, reply) => replyToFrameworkError(error, { request, reply, onRefused }),
    genReqId: () => randomUUID(),
    bodyLimit: limits.maxBodyBytes,
    routerOptions: { maxParamLength: limits.maxParameterLength },
    forceCloseConnections: true,
    // Fastify's own answer while closing has another shape.
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  // Answers are records of the contract already; schemas document them, and tests compare the two.
  app.setSerializerCompiler(() => JSON.stringify);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
    done();
  });
  addNotFound(app);
  addProblems(app, { log, onRefused });
  addJsonBodies(app);
  app.addHook('preClose', () => connections.drained(limits.closeGraceMs));
  addHealthRoutes(app, services);
  return app;
}
