import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type FastifyRequest, fastify } from 'fastify';
import type { AgentDoor } from '../agent-host/link/agent-link.ts';
import { createMcpDoor, MCP_DEFAULTS, type McpSettings } from '../mcp/door.ts';
import { familyOf } from '../peers/dashboard-family.ts';
import type { PeerGate } from '../peers/gate.ts';
import type { FindProgram } from '../peers/program.ts';
import type { Services } from '../services/offered-services.ts';
import type { Refusal } from '../services/refusal.ts';
import { addAnswerBudget, addTurns } from './answer-budget.ts';
import type { App, HttpLog } from './app.ts';
import { type Connections, createConnections, createGuardedServer } from './guarded-server.ts';
import { addBodyProofs, bearerToken, isKnownRequester, isPerson } from './identity.ts';
import { addJsonBodies } from './json-body.ts';
import { addRateLimits, DEFAULT_LIMITS, type HttpLimits, UNLIMITED } from './limits.ts';
import { createHeldCalls } from './open-calls.ts';
import { addOpenApi } from './openapi.ts';
import { createAskingPrograms, createDashboardWatch, createPeers, type FindDashboard } from './peers.ts';
import { endWithProblem, type HttpRefusal, quoted, refuse, SECURITY_HEADERS } from './problem-response.ts';
import { addProblems, replyToFrameworkError } from './problems.ts';
import { validatorCompiler } from './query.ts';
import { addAgentSocket, addWebSockets } from './routes/agent-socket.ts';
import { addCommandLineRoutes, type CommandLine } from './routes/command-line.ts';
import { addDocumentationRoutes } from './routes/documentation.ts';
import { addPage } from './routes/page.ts';
import { addRoutes } from './routes.ts';

export type HttpServerOptions = {
  services: Services;
  /** Lets the device agent in at its socket. */
  agentDoor: AgentDoor;
  /** Calls wait for this, except for those to `/health`. */
  ready?: Promise<void>;
  /** Says whether the OS user at the other end of a connection is served. */
  peerGate: PeerGate;
  /** Says which program is at the other end of a connection. */
  findProgram: FindProgram;
  /** Says which processes belong together with a program that holds a dashboard. */
  findDashboard?: FindDashboard;
  /** The person's verbs of the command line, where the daemon has no windows of its own. */
  commandLine?: CommandLine;
  /** `off` lifts the limits on how often and how many at once, for benchmarks; sizes and timeouts stay. */
  rateLimits: 'on' | 'off';
  log: HttpLog;
  limits?: Partial<HttpLimits>;
  mcp?: McpSettings;
  /** Where the built page is, if not in this repository. */
  pageFolder?: string;
};

/** The whole HTTP interface. It does not listen by itself: see `listen.ts`. `close()` ends every connection. */
export async function createHttpServer(options: HttpServerOptions): Promise<App> {
  const { services, log } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits, ...(options.rateLimits === 'off' && UNLIMITED) };
  const onRefused = (refusal: Refusal) => services.noteRefusal(refusal);
  const connections = createConnections({
    max: limits.maxConnections,
    onCut: () => onRefused(refuse('rate_limited', 'too many connections')),
  });
  const { held: asked, heldByDefault: byDefault } = limits;
  const heldCalls = createHeldCalls({ asked, byDefault, isKnown: (userId) => services.isKnown(userId) });
  const admittedUpgrades = createServer();
  const peers = createPeers(options.peerGate, options.findProgram);
  const { findDashboard = async (program) => familyOf(program) } = options;
  const dashboards = createDashboardWatch({ peers, find: findDashboard, sessions: services.console.sessions });
  const app = createApp({ limits, connections, peers, onRefused, newRequestId: randomUUID, admittedUpgrades });
  const asking = createAskingPrograms();
  app.decorateRequest('callingProgram', async function callingProgram(isPassedOn) {
    const program = await peers.programOf(this.raw, isPassedOn);
    if (this.userId !== '') asking.note(program);
    return program;
  });
  app.decorateRequest('programOnce', async function programOnce(isPassedOn) {
    return peers.isFirstOf(this.raw.socket, this.userId) ? peers.programOf(this.raw, isPassedOn) : undefined;
  });
  await addWebSockets(app, admittedUpgrades);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
    done();
  });
  if (options.ready !== undefined) addStartUp(app, options.ready);
  app.addHook('preClose', () => {
    heldCalls.releaseAll();
    return connections.drained(limits.closeGraceMs);
  });
  addProblems(app, { log, onRefused, onFailure: services.noteFailure });
  if (options.rateLimits === 'on') await addRateLimits(app, { limits, services });
  addAnswerBudget(app, { budget: limits.unreadBytes, console: services.console, onRefused });
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw;
    if (isPerson(request, services.console)) {
      connections.ofPerson(socket);
      dashboards.used(socket, bearerToken(request));
    } else if (isKnownRequester(request, services)) connections.ofKnown(socket);
    done();
  });
  addTurns(app, services.console);
  addNotFound(app);
  addJsonBodies(app);
  addBodyProofs(app, services.console);
  await addOpenApi(app);
  addAgentSocket(app, options.agentDoor);
  if (options.commandLine !== undefined) addCommandLineRoutes(app, options.commandLine, asking);
  const mcp = createMcpDoor({ services, settings: options.mcp ?? MCP_DEFAULTS });
  addRoutes(app, { services, heldCalls, streams: limits.streams, mcp, dashboards });
  await addDocumentationRoutes(app);
  await addPage(app, options.pageFolder);
  return app;
}

function createApp(
  options: Omit<Parameters<typeof createGuardedServer>[0], 'handler'> & { connections: Connections },
): App {
  const app: App = fastify({
    serverFactory: (handler) => createGuardedServer({ ...options, handler }),
    clientErrorHandler: createClientErrorHandler(options),
    frameworkErrors: (error, request, reply) =>
      replyToFrameworkError(error, { request, reply, onRefused: options.onRefused }),
    genReqId: options.newRequestId,
    bodyLimit: options.limits.maxBodyBytes,
    routerOptions: { maxParamLength: options.limits.maxParameterLength },
    forceCloseConnections: true,
    // Fastify's own answer while closing has another shape.
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  // Answers are records of the contract already; schemas document them, and tests compare the two.
  app.setSerializerCompiler(() => JSON.stringify);
  app.decorateRequest('userId', '');
  return app;
}

/** Holds calls until the daemon has taken up the work of its last run. `/health` answers at once. */
function addStartUp(app: App, ready: Promise<void>): void {
  let isReady = false;
  void ready.then(() => {
    isReady = true;
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (isReady || request.url === '/health') done();
    else void ready.then(() => done());
  });
}

/** Answers requests without a route, before a body is read: 405 if the path has other methods, else 404. */
function addNotFound(app: App): void {
  const routes: { url: string; pattern: RegExp; methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ url, pattern: patternOf(url), methods: typeof method === 'string' ? [method] : method });
  });
  const refusalFor = ({ method, url }: { method: string; url: string }): HttpRefusal => {
    const [path = ''] = url.split('?', 1);
    const atPath = routes.filter(({ url: known }) => known === path);
    const matching = atPath.length > 0 ? atPath : routes.filter(({ pattern }) => pattern.test(path));
    const allowed = [...new Set(matching.flatMap(({ methods }) => methods))];
    if (allowed.length === 0 || allowed.includes(method))
      return refuse('not_found', `Nothing is at ${quoted(path)}. See /docs.`);
    const allow = allowed.toSorted().join(', ');
    return refuse('method_not_allowed', `${method} is not served here; ${allow} is.`, { headers: { allow } });
  };
  /** The router matches `/devices/register` with `/devices/:id` when the method does not fit. */
  const isOfOther = ({ url, routeOptions }: FastifyRequest) => {
    const [path = ''] = url.split('?', 1);
    return routeOptions.url?.includes(':') && path !== routeOptions.url && routes.some((route) => route.url === path);
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || hasEmptyParameter(request) || isOfOther(request)) reply.send(refusalFor(request));
    else done();
  });
  app.setNotFoundHandler((request, reply) => reply.send(refusalFor(request)));
}

/** The router matches `/actions/` with `/actions/:id` and an empty id. */
function hasEmptyParameter({ url, routeOptions }: FastifyRequest): boolean {
  const [path = ''] = url.split('?', 1);
  return path.endsWith('/') && routeOptions.url?.includes(':') === true;
}

function patternOf(url: string): RegExp {
  const source = url
    .replaceAll('.', '\\.')
    .replaceAll(/:[^/]+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}

/** Answers a request that Node's parser gave up on. Node has no request and no response object for it, so the bytes are written by hand. */
function createClientErrorHandler(options: {
  connections: Connections;
  newRequestId: () => string;
  onRefused: (refusal: HttpRefusal) => void;
}): (error: Error & { code?: string }, socket: Socket) => void {
  const answer = (socket: Socket, code: string | undefined) => {
    if (socket.destroyed || socket.writableEnded) return;
    const refusal = clientErrorRefusal(code);
    options.onRefused(refusal);
    endWithProblem(socket, refusal, options.newRequestId());
  };
  return (error, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    const before = options.connections.answering(socket);
    // An earlier request on this connection is still being answered: nothing may be written into its response.
    if (before === undefined) answer(socket, error.code);
    else before.once('close', () => answer(socket, error.code));
  };
}

function clientErrorRefusal(code: string | undefined): HttpRefusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('headers_too_large', 'The request line and the headers together may hold 16 KiB; more came.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('request_timeout', 'The request did not arrive in time. Send it again, without pauses.');
    default:
      return refuse('malformed_http', 'The request is not HTTP/1.1. Use plain http:// and a well-formed request.');
  }
}
