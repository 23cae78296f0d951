import { type Guard, guard } from './guards.ts';

const PROGRAMS = 'test/services/targets/dashboard-programs.test.ts';
const FAMILY = 'test/peers/dashboard-family.test.ts';
const STOLEN = 'test/services/console/stolen-session.test.ts';
const PROOFS = 'test/http/session-proofs.test.ts';
const PIXELS = 'test/agent/dashboard-windows.test.ts';
const WINDOW = 'test/own-daemon/own-window.test.ts';

/** The guards of the program that holds a signed-in dashboard: rows A20 to A23, and of sessions: rows A24 to A28. */
export const SESSION_GUARDS: readonly Guard[] = [
  guard('A20', 'a control of such a program is marked', {
    mark: 'A20-1',
    becomes: 'return control;',
    failed: [PROGRAMS, 'A20: $actionType never reaches the browser that holds the dashboard'],
  }),
  guard('A20', 'a window of such a program is marked', {
    mark: 'A20-2',
    becomes: 'return window;',
    failed: [PROGRAMS, 'A20: %s leaves every window of that browser alone'],
  }),
  guard('A20', 'the parents of the same program belong to it', {
    mark: 'A20-3',
    becomes: 'const family = [first, ...parents.slice(0, end === -1 ? 0 : 0)];',
    failed: [FAMILY, 'A20: the network process of a browser leads to the process that has its windows'],
  }),
  guard('A20', 'input that was let through before is called off', {
    mark: 'A20-4',
    becomes: 'if (isInput(actionType)) return false;',
    failed: [PROGRAMS, 'A20: a session that begins between judgement and effect'],
  }),
  guard('A21', 'access to the app is refused', {
    mark: 'A21-1',
    becomes: 'const forbidden = objection({ names, sensitive });',
    failed: [PROGRAMS, 'A21: access to the browser of the dashboard is refused'],
  }),
  guard('A21', 'access that was given ends', {
    mark: 'A21-2',
    becomes: [
      '.live(clock.nowMs())',
      '.filter(',
      '  ({ actionType, arguments: given }) => actionType === requestAccess.name && isAppOf(accessApp(given), []),',
    ].join('\n'),
    failed: [PROGRAMS, 'A21: a session that begins in an app ends the access to it'],
  }),
  guard('A22', 'a picture of such a window asks', {
    mark: 'A22-1',
    becomes: '',
    failed: [PROGRAMS, 'A22: a picture of a window of that browser asks'],
  }),
  guard('A23', 'only a file that root alone can write is started', {
    mark: 'A23-1',
    becomes: 'return found !== undefined && (isMac || found.uid >= 0);',
    failed: [WINDOW, 'A23: a browser that somebody else can write is not started'],
  }),
  guard('A23', 'the environment of the daemon does not reach the browser', {
    mark: 'A23-2',
    becomes: 'const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => name !== KEPT.source));',
    failed: [WINDOW, 'A23: the browser gets its own profile'],
  }),
  guard('A24', 'no code is made while a session lives on', {
    mark: 'A24-1',
    becomes: '',
    failed: ['test/e2e/login.test.ts', 'A24: after a restart over which a session lives on'],
  }),
  guard('A25', 'the grants of a stolen session are revoked', {
    mark: 'A25-1',
    becomes: '',
    failed: [STOLEN, 'A25: one answer takes all of it back'],
  }),
  guard('A25', 'a profile whose rules a stolen session changed is not given back', {
    mark: 'A25-2',
    becomes: '',
    failed: [STOLEN, 'A25: whoever has a profile whose rules the session changed gets the strictest one'],
  }),
  guard('A20', 'each connection on which the key comes is looked up', {
    mark: 'A20-5',
    becomes: '',
    failed: ['test/http/dashboard-programs.test.ts', 'A20: another program that uses the key is told too'],
  }),
  guard('A27', 'a call that the page did not sign is refused (use)', {
    mark: 'A27-1',
    becomes: 'if (session === undefined) return false;',
    failed: [PROOFS, 'A27: the copied key of a session opens no route of the console, no stream and no socket'],
  }),
  guard('A27', 'the signature is compared with the call', {
    mark: 'A27-2',
    becomes: '',
    failed: [PROOFS, 'A27: the proof of %s is refused'],
  }),
  guard('A27', 'a proof is spent with its call', {
    mark: 'A27-3',
    becomes: '',
    failed: [PROOFS, 'A27: a call is served when the page has signed it, and a proof is refused the second time'],
  }),
  guard('A27', 'the body is compared with the proof', {
    mark: 'A27-4',
    becomes: 'else done();',
    failed: [PROOFS, 'A27: a proof lets no other body through, and nothing is changed'],
  }),
  guard('A27', 'a kept session goes on under the key of its page', {
    mark: 'A27-5',
    becomes: 'const live = { ...session, ended: new AbortController(), proofs: undefined };',
    failed: [
      'test/services/sessions/sessions.test.ts',
      'A27: belongs to its page afterwards too, and a proof of the run before is refused',
    ],
  }),
  guard('A27', 'no script reads the private key of the page', {
    mark: 'A27-6',
    becomes: "const { publicKey, privateKey } = await crypto.subtle.generateKey(PAIR, true, ['sign', 'verify']);",
    failed: [
      'test/renderer/page-keys.test.ts',
      'A27: a page that is loaded again signs with the same key, and no script can read it',
    ],
  }),
  guard('A28', 'a picture of the screen is black where a dashboard is seen', {
    mark: 'A28-1',
    becomes: 'return [...drawnMarks(marks ?? [], { bounds, scale })];',
    failed: [PIXELS, 'A28: a picture of the screen is black where a window of a dashboard is seen'],
  }),
  guard('A28', 'a picture is dropped where a dashboard appeared meanwhile', {
    mark: 'A28-2',
    becomes: 'return hidden.length < 1e6 ? outcome : dashboardMoved;',
    failed: [PIXELS, 'A28: a picture during which such a window appeared is dropped'],
  }),
  guard('A28', 'the agent is told of the programs with a dashboard', {
    mark: 'A28-3',
    becomes: 'dashboards: () => undefined,',
    failed: [PROGRAMS, 'A28: a picture of a display or a region is sent with the programs that show a dashboard'],
  }),
];
