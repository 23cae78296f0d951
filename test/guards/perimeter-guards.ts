import type { Guard } from './guards.ts';

const ATTACKS = 'test/http/attacks/perimeter-attacks.ts';
const MESSAGES = 'test/http/attacks/message-attacks.ts';
const IDENTITY = 'test/http/attacks/identity-attacks.ts';
const RAN_BY = 'test/http/attacks.test.ts';

/** The guards that meet a request before any route does: rows H and I of the attack table. */
export const PERIMETER_GUARDS: readonly Guard[] = [
  guard('H1', {
    what: 'the Host must be a name of this daemon',
    mark: 'H1-1',
    becomes: 'if (own.hosts.length > 0) return undefined;',
    title: 'H1: a Host that is not ours',
  }),
  guard('H2', {
    what: 'there must be exactly one Host header',
    mark: 'H2-1',
    becomes: "if (hosts < 0) return refuse('bad_request', `Exactly one Host header is expected, ${hosts} came.`);",
    title: 'H2: a request whose server is not said once and plainly',
  }),
  guard('H4', {
    what: 'an Origin must be the address of the page itself',
    mark: 'H4-1',
    becomes: "if (origin !== '' || origin === `http://${host}`) return undefined;",
    title: 'H4: an Origin that is not ours',
  }),
  guard('H5', {
    what: 'no CORS preflight is answered',
    mark: 'H5-1',
    becomes: 'if (method !== undefined) return undefined;',
    title: 'H5: preflights',
  }),
  guard('H6', {
    what: 'a request from another site is refused',
    mark: 'H6-1',
    becomes: "if (site === 'never') {",
    title: 'H6: a request that a browser says comes from another site',
  }),
  guard('H8', {
    mark: 'H8-1',
    what: 'a body must be JSON in UTF-8',
    becomes: 'if (came === undefined ? !hasBody(headers) && !needsBody(request) : came.length > 0) return undefined;',
    suite: MESSAGES,
    title: 'H8: a body that is not declared as JSON in UTF-8',
  }),
  guard('I1', {
    mark: 'I1-1',
    what: 'a user id has only the characters of an id',
    becomes: "return typeof text === 'string';",
    suite: IDENTITY,
    title: 'I1: a user id that is missing or is none',
  }),
  ofMcp('M3', {
    mark: 'M3-1',
    what: 'the name of an MCP client needs the key of that user id',
    becomes: 'done();',
    title: 'M3: an id that the person locked needs its key',
  }),
  ofMcp('M4', {
    mark: 'M4-1',
    what: 'a call that is named in its body is counted',
    becomes: 'if (request.userId === "") return limit(request, reply);',
    title: 'M4: a client is limited by its own name',
  }),
  ofMcp('M5', {
    mark: 'M5-1',
    what: 'a prompt goes with the last client that waits for it',
    becomes: 'if (holders.size < 0) call.withdraw(id);',
    title: 'M5: a client that hangs up while it waits withdraws its prompt',
  }),
];

type Removed = { what: string; mark: string; becomes: string; suite?: string; title: string };

function ofMcp(row: string, { title, ...removed }: Removed): Guard {
  return { row, removed, failed: { file: 'test/http/mcp.test.ts', title } };
}

function guard(row: string, { what, mark, becomes, suite = ATTACKS, title }: Removed): Guard {
  return { row, removed: { mark, what, becomes }, failed: { file: suite, ranBy: RAN_BY, title } };
}
