import type { Guard } from './guards.ts';

const ATTACKS = 'test/http/attacks/perimeter-attacks.ts';
const MESSAGES = 'test/http/attacks/message-attacks.ts';
const IDENTITY = 'test/http/attacks/identity-attacks.ts';
const RAN_BY = 'test/http/attacks.test.ts';
const PERIMETER = 'src/http/perimeter.ts';

/** The guards that meet a request before any route does: rows H and I of the attack table. */
export const PERIMETER_GUARDS: readonly Guard[] = [
  guard('H1', {
    what: 'the Host must be a name of this daemon',
    from: 'if (own.hosts.includes(host)) return undefined;',
    to: 'if (own.hosts.length > 0) return undefined;',
    title: 'H1: a Host that is not ours',
  }),
  guard('H2', {
    what: 'there must be exactly one Host header',
    from: 'if (hosts !== 1) return refuse',
    to: 'if (hosts < 0) return refuse',
    title: 'H2: a request whose server is not said once and plainly',
  }),
  guard('H4', {
    what: 'an Origin must be the address of the page itself',
    from: 'if (origin === undefined || origin ===',
    to: "if (origin !== '' || origin ===",
    title: 'H4: an Origin that is not ours',
  }),
  guard('H5', {
    what: 'no CORS preflight is answered',
    from: "if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;",
    to: 'if (method !== undefined) return undefined;',
    title: 'H5: preflights',
  }),
  guard('H6', {
    what: 'a request from another site is refused',
    from: "if (site !== undefined && site !== 'same-origin' && site !== 'none') {",
    to: "if (site === 'never') {",
    title: 'H6: a request that a browser says comes from another site',
  }),
  guard('H8', {
    file: 'src/http/json-body.ts',
    what: 'a body must be JSON in UTF-8',
    from: 'JSON_IN_UTF8.test(came)) return undefined;',
    to: 'came.length > 0) return undefined;',
    suite: MESSAGES,
    title: 'H8: a body that is not declared as JSON in UTF-8',
  }),
  guard('I1', {
    file: 'src/http/identity.ts',
    what: 'a user id has only the characters of an id',
    from: "return typeof text === 'string' && USER_ID.test(text);",
    to: "return typeof text === 'string';",
    suite: IDENTITY,
    title: 'I1: a user id that is missing or is none',
  }),
  ofMcp('M3', {
    file: 'src/http/identity.ts',
    what: 'the name of an MCP client needs the key of that user id',
    from: 'if (isGenuine(request, services)) done();\n    else reply.send({ ...KEY_REQUIRED, from: request.userId });\n  });\n}\n\n/** Whether only',
    to: 'done();\n  });\n}\n\n/** Whether only',
    title: 'M3: an id that the person locked needs its key',
  }),
  ofMcp('M4', {
    file: 'src/http/limits.ts',
    what: 'a call that is named in its body is counted',
    from: 'if (isNamedInBody(request)) return limit(request, reply);',
    to: 'if (request.userId === "") return limit(request, reply);',
    title: 'M4: a client is limited by its own name',
  }),
  ofMcp('M5', {
    file: 'src/mcp/action-calls.ts',
    what: 'a prompt goes with the last client that waits for it',
    from: 'if (holders.size === 0) call.withdraw(id);',
    to: 'if (holders.size < 0) call.withdraw(id);',
    title: 'M5: a client that hangs up while it waits withdraws its prompt',
  }),
];

type Removed = { file?: string; what: string; from: string; to: string; suite?: string; title: string };

function ofMcp(row: string, { file = PERIMETER, title, ...removed }: Removed): Guard {
  return { row, removed: { file, ...removed }, failed: { file: 'test/http/mcp.test.ts', title } };
}

function guard(row: string, { file = PERIMETER, what, from, to, suite = ATTACKS, title }: Removed): Guard {
  return { row, removed: { file, what, from, to }, failed: { file: suite, ranBy: RAN_BY, title } };
}
