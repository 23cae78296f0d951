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
    file: 'src/services/targets/dashboard-programs.ts',
    from: 'return holds(pid, app) ? { ...control, app: withDashboard(app) } : control;',
    to: 'return control;',
    failed: [PROGRAMS, 'A20: $actionType never reaches the browser that holds the dashboard'],
  }),
  guard('A20', 'a window of such a program is marked', {
    file: 'src/services/targets/dashboard-programs.ts',
    from: 'return holds(window.pid, app) ? { ...window, identity: withDashboard(app) } : window;',
    to: 'return window;',
    failed: [PROGRAMS, 'A20: %s leaves every window of that browser alone'],
  }),
  guard('A20', 'the parents of the same program belong to it', {
    file: 'src/peers/dashboard-family.ts',
    from: 'const family = [first, ...parents.slice(0, end === -1 ? parents.length : end)];',
    to: 'const family = [first, ...parents.slice(0, end === -1 ? 0 : 0)];',
    failed: [FAMILY, 'A20: the network process of a browser leads to the process that has its windows'],
  }),
  guard('A20', 'input that was let through before is called off', {
    file: 'src/services/actions/call-offs.ts',
    from: 'if (isInput(actionType)) return targets.some((target) => isInDashboard(target, program));',
    to: 'if (isInput(actionType)) return false;',
    failed: [PROGRAMS, 'A20: a session that begins between judgement and effect'],
  }),
  guard('A21', 'access to the app is refused', {
    file: 'src/domain/catalogue/hands/request-access.ts',
    from: 'holdsDashboard ? HOLDS_DASHBOARD : objection({ names, sensitive })',
    to: 'objection({ names, sensitive })',
    failed: [PROGRAMS, 'A21: access to the browser of the dashboard is refused'],
  }),
  guard('A21', 'access that was given ends', {
    file: 'src/services/permissions/access.ts',
    from: 'isAppOf(accessApp(given), names)',
    to: 'isAppOf(accessApp(given), [])',
    failed: [PROGRAMS, 'A21: a session that begins in an app ends the access to it'],
  }),
  guard('A22', 'a picture of such a window asks', {
    file: 'src/domain/catalogue/window-words.ts',
    from: 'if (app.holdsDashboard === true) return { alwaysAsks: true };',
    to: '',
    failed: [PROGRAMS, 'A22: a picture of a window of that browser asks'],
  }),
  guard('A23', 'only a file that root alone can write is started', {
    file: 'src/own-daemon/own-window.ts',
    from: '(isMac || (found.uid === 0 && (found.mode & 0o022) === 0))',
    to: '(isMac || found.uid >= 0)',
    failed: [WINDOW, 'A23: a browser that somebody else can write is not started'],
  }),
  guard('A23', 'the environment of the daemon does not reach the browser', {
    file: 'src/own-daemon/own-window.ts',
    from: '.filter(([name]) => KEPT.test(name))',
    to: '.filter(([name]) => name !== KEPT.source)',
    failed: [WINDOW, 'A23: the browser gets its own profile'],
  }),
  guard('A24', 'no code is made while a session lives on', {
    file: 'src/daemon/headless.ts',
    from: 'else if (hasTerminal && daemon.isSignedIn()) process.stdout.write(GOES_ON);',
    to: '',
    failed: ['test/e2e/login.test.ts', 'A24: after a restart over which a session lives on'],
  }),
  guard('A25', 'the grants of a stolen session are revoked', {
    file: 'src/services/console/stolen-session.ts',
    from: 'for (const { id } of grants) parts.grants.revoke(id);',
    to: '',
    failed: [STOLEN, 'A25: one answer takes all of it back'],
  }),
  guard('A25', 'a profile whose rules a stolen session changed is not given back', {
    file: 'src/services/console/stolen-session.ts',
    from: 'if (changed.has(profile) && !former.has(userId)) former.set(userId, STRICTEST);',
    to: '',
    failed: [STOLEN, 'A25: whoever has a profile whose rules the session changed gets the strictest one'],
  }),
  guard('A20', 'each connection on which the key comes is looked up', {
    file: 'src/http/peers.ts',
    from: 'void note(peers.makerOf(socket), key);',
    to: '',
    failed: ['test/http/dashboard-programs.test.ts', 'A20: another program that uses the key is told too'],
  }),
  guard('A27', 'a call that the page did not sign is refused (use)', {
    file: 'src/services/sessions/live-sessions.ts',
    from: 'if (session === undefined || session.proofs?.fault(key, call) !== undefined) return false;',
    to: 'if (session === undefined) return false;',
    failed: [PROOFS, 'A27: the copied key of a session opens no route of the console, no stream and no socket'],
  }),
  guard('A27', 'the signature is compared with the call', {
    file: 'src/services/sessions/session-proofs.ts',
    from: "if (!isSigned) return 'proof_wrong';",
    to: '',
    failed: [PROOFS, 'A27: the proof of %s is refused'],
  }),
  guard('A27', 'a proof is spent with its call', {
    file: 'src/services/sessions/session-proofs.ts',
    from: '      spent.add(number);\n',
    to: '',
    failed: [PROOFS, 'A27: a call is served when the page has signed it, and a proof is refused the second time'],
  }),
  guard('A27', 'the body is compared with the proof', {
    file: 'src/http/identity.ts',
    from: "else reply.send(unproved('proof_of_other_body'));",
    to: 'else done();',
    failed: [PROOFS, 'A27: a proof lets no other body through, and nothing is changed'],
  }),
  guard('A27', 'a kept session goes on under the key of its page', {
    file: 'src/services/sessions/live-sessions.ts',
    from: 'proofs: pageKey && createProofCheck(pageKey) };',
    to: 'proofs: undefined };',
    failed: [
      'test/services/sessions/sessions.test.ts',
      'A27: belongs to its page afterwards too, and a proof of the run before is refused',
    ],
  }),
  guard('A27', 'no script reads the private key of the page', {
    file: 'renderer/src/wire/page-keys.ts',
    from: "crypto.subtle.generateKey(PAIR, false, ['sign', 'verify'])",
    to: "crypto.subtle.generateKey(PAIR, true, ['sign', 'verify'])",
    failed: [
      'test/renderer/page-keys.test.ts',
      'A27: a page that is loaded again signs with the same key, and no script can read it',
    ],
  }),
  guard('A28', 'a picture of the screen is black where a dashboard is seen', {
    file: 'agent/looks/looks.ts',
    from: '[...blanked(hidden, { bounds, scale }), ',
    to: '[',
    failed: [PIXELS, 'A28: a picture of the screen is black where a window of a dashboard is seen'],
  }),
  guard('A28', 'a picture is dropped where a dashboard appeared meanwhile', {
    file: 'agent/looks/looks.ts',
    from: 'isDeepStrictEqual(await dashboardParts(driver, attempt), hidden) ? outcome : dashboardMoved',
    to: 'hidden.length < 1e6 ? outcome : dashboardMoved',
    failed: [PIXELS, 'A28: a picture during which such a window appeared is dropped'],
  }),
  guard('A28', 'the agent is told of the programs with a dashboard', {
    file: 'src/services/wiring.ts',
    from: 'dashboards: alone.dashboards.shown,\n    looked: ',
    to: 'dashboards: () => undefined,\n    looked: ',
    failed: [PROGRAMS, 'A28: a picture of a display or a region is sent with the programs that show a dashboard'],
  }),
];
