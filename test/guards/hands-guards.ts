import { type Guard, guard } from './guards.ts';

const HANDS_OFF = 'test/services/hands-off.test.ts';
const ACCESS = 'test/services/access.test.ts';
const PROMPT = 'test/services/hands-prompt.test.ts';

const ATTACKS = 'test/services/hands-attacks.test.ts';
const OPEN_URL = 'test/services/open-url.test.ts';
const SITES = 'test/services/sites.test.ts';
const EVIDENCE = 'test/services/evidence.test.ts';

/** The guards of the hands: rows N1 to N19 of the attack table. */
export const HANDS_GUARDS: readonly Guard[] = [
  guard('N6', 'no input is sent while a prompt is shown', {
    mark: 'N6-1',
    becomes: 'return !others.some(isAlone);',
    failed: [HANDS_OFF, 'N6: no input is sent while a prompt is shown'],
  }),
  guard('N6', 'an approval counts only without input', {
    mark: 'N6-2',
    becomes: 'if (parts.handsOffAtMs < 0) {',
    failed: [HANDS_OFF, 'N6: a prompt cannot be allowed while input is under way'],
  }),
  guard('N6', 'a press under input is no presence', {
    mark: 'N6-3',
    becomes: 'void holds;',
    failed: [HANDS_OFF, 'N6: a held press that began under input is no presence'],
  }),
  guard('N4', 'no text goes into a password field', {
    mark: 'N4-1',
    becomes:
      "const objection = control?.isPassword === undefined ? 'The field is for a password. No action types into it.' : undefined;",
    failed: [ACCESS, 'N4: with access, %s is blocked'],
  }),
  guard('N4', 'no input reaches a window or page of Handrail', {
    mark: 'N4-2',
    becomes: 'return (appObjection(control.app) ?? pageObjection(control));',
    failed: [PROMPT, 'N4: no profile and no grant lets input reach %s'],
  }),
  guard('N15', 'no window that shows the dashboard is closed, moved or minimized', {
    mark: 'N15-1',
    becomes: 'const isOwn = names.some(isHandrail);',
    failed: [PROMPT, 'N15: no profile lets %s change the window that shows the dashboard'],
  }),
  guard('N14', 'a text does not go on in a control that nobody has judged', {
    mark: 'N14-1',
    becomes: '',
    failed: [ATTACKS, 'N14: %s still asks'],
  }),
  guard('N14', 'Return or Space pressed again is judged as unknown', {
    mark: 'N14-2',
    becomes: 'if (keepsKeyboard(control) || true) return [];',
    failed: [ATTACKS, 'N14: %s still asks'],
  }),
  guard('N14', 'a chord is judged by what it may press', {
    mark: 'N14-3',
    becomes: 'return custom?.danger;',
    failed: [ATTACKS, 'N14: %s still asks'],
  }),
  guard('N16', 'what is in front of a control is judged, too', {
    mark: 'N16-1',
    becomes: '...(others.some((other) => labelRules(other).length > 0) ? [] : []),',
    failed: [ATTACKS, 'N16: a click on a harmless control %s asks'],
  }),
  guard('N16', 'what has come in front of a control is noticed before the click', {
    mark: 'N16-2',
    becomes: '...([]),',
    failed: ['test/agent/targets/recheck.test.ts', 'N16: what has come in front of a control since is a change'],
  }),
  guard('N16', 'a place of which the app does not tell all is not taken for free', {
    mark: 'N16-3',
    becomes: 'const way = answer === null ? { nodes: [], end: undefined } : await wayUp(asking, refOf(answer[0]));',
    failed: [
      'test/agent/linux/others-at.test.ts',
      'N16: where an app tells %s of a point, it is not known what lies there',
    ],
  }),
  guard('N17', 'Return in the address bar is an address that is opened', {
    mark: 'N17-1',
    becomes: 'if (control?.besidePage !== undefined && control.isOwn)',
    failed: [ATTACKS, 'N17: %s in the address bar of a browser asks'],
  }),
  guard('D5', 'an app cannot keep the agent busy with a long answer', {
    mark: 'D5-1',
    becomes: 'if (found === null) return null;',
    failed: ['test/agent/linux/accessible-part.test.ts', 'D5: an app that %s is asked few questions'],
  }),
  guard('N19', 'the Delete key outside of a text asks', {
    mark: 'N19-1',
    becomes: "...(keyOf(keys) === 'delete' && control === undefined ? [DELETES] : []),",
    failed: [ATTACKS, 'N19: %s asks'],
  }),
  guard('N13', 'the wheel over a slider or number field asks', {
    mark: 'N13-1',
    becomes: "const changesIt = TURNED_BY_WHEEL.has('');",
    failed: [ATTACKS, 'N13: the wheel over a %s changes it, so it asks'],
  }),
  guard('N3', 'access ends where the risk is high', {
    mark: 'N3-1',
    becomes: 'return isRisky ? undefined : access;',
    failed: [ACCESS, 'N3, N7: with access, %s still asks'],
  }),
  guard('N3', 'Return is judged as a click on the default button', {
    mark: 'N3-2',
    becomes: 'if (control?.defaultButton !== undefined) return [];',
    failed: [ATTACKS, 'N3: %s still asks'],
  }),
  guard('N3', 'a control is judged by its words: orders, other scripts, invisible characters', {
    mark: 'N3-3',
    becomes: '',
    failed: [ATTACKS, 'N3: a label %s still asks'],
  }),
  guard('N3', 'a label that the agent had to cut is not harmless', {
    mark: 'N3-4',
    becomes: 'if (label.length > 60_000)',
    failed: [ATTACKS, 'N3: a label of 60 kB reaches the rules as one that is too long'],
  }),
  guard('N8', 'a secret is typed only after a question', {
    mark: 'N8-1',
    becomes: "return kind !== undefined ? [] : [{ level: 'high', reason: `The text seems to hold ${kind}.` }];",
    failed: [ATTACKS, 'N8: %s is typed only after a question'],
  }),
  guard('N9', 'a clipboard swapped before the paste is told', {
    mark: 'N9-1',
    becomes: 'return isSwapped && text === null ? { ...refused(SWAPPED), ...PASTED } : undefined;',
    failed: [
      'test/agent/linux/paste.test.ts',
      'N9: a clipboard that another program swaps between write and paste is told, and is left to that program',
    ],
  }),
  guard('N12', 'the clipboard is pasted only after a question', {
    mark: 'N12-1',
    becomes: '',
    failed: [ATTACKS, 'N12: %s the clipboard is pasted only after a question'],
  }),
  guard('N18', 'only a plain address opens within access', {
    mark: 'N18-1',
    becomes: "const isWithinAccess = app.risks.every(({ level }) => level === 'low');",
    failed: [OPEN_URL, 'N18: with access, an address with %s still asks'],
  }),
  guard('N18', 'an app that asks before it is opened asks before it opens an address', {
    mark: 'N18-1',
    becomes: 'const isWithinAccess = isPlainAddress(url);',
    failed: [
      OPEN_URL,
      'N18: an app that asks before it is opened asks before it opens an address, though access to it was given',
    ],
  }),
  guard('N20', 'in a browser every document around a control is of a granted site', {
    mark: 'N20-1',
    becomes: '',
    failed: [SITES, 'N20: with access, input in %s asks, and no profile allows it'],
  }),
  guard('N20', 'an access holds for each of the sites', {
    mark: 'N20-2',
    becomes: 'return ofSites.find((grant) => grant !== undefined);',
    failed: [SITES, 'N20: with access, input in %s asks, and no profile allows it'],
  }),
  guard('N20', 'no profile lets input reach a site', {
    mark: 'N20-3',
    becomes: "return onSite === null && risk.level !== 'low';",
    failed: [SITES, 'N20: with access, input in %s asks, and no profile allows it'],
  }),
  guard('N20', 'input to a browser is asked for with its sites', {
    mark: 'N20-4',
    becomes: "...(allow === 'input' && sites === null ? [WITHOUT_SITES] : []),",
    failed: [SITES, 'N20: input to a browser, known %s, is not asked for without sites'],
  }),
  guard('N22', 'the texts of a window are read only while it is as it was judged', {
    mark: 'N22-1',
    becomes: 'if (judged !== null) return null;',
    failed: ['test/agent/hands.test.ts', 'N22: the texts of a window are read only while it is as it was judged'],
  }),
  guard('N22', 'access to an app covers the texts of its windows alone', {
    mark: 'N22-2',
    becomes: "return contents === true && format === 'text' ? (region ?? '0x1') : undefined;",
    failed: [
      'test/services/access.test.ts',
      'N22: access to %s lets the texts of one of its windows through, and no others',
    ],
  }),
  guard('N44', 'a look at a browser is for the site of the page that it shows', {
    mark: 'N44-1',
    becomes: "return { access: { use: 'look', app, ...(site !== undefined && { sites: [] }) } };",
    failed: [
      SITES,
      'N44: an access to sites lets $actionType look at a window that shows a page of one, and at no other',
    ],
  }),
  guard('N44', 'a look tells nothing of a page of another site', {
    mark: 'N44-2',
    becomes: 'return now.ok ? (refuseChangedWindow(judged, now.data)) : now;',
    failed: ['test/agent/hands.test.ts', 'N44: nothing is told of a window that has gone on to a page of another site'],
  }),
  guard('N45', 'a link is judged by where it leads, too', {
    mark: 'N45-1',
    becomes: 'const documents = [...leadsTo, ...around].slice(leadsTo.length);',
    failed: [
      'test/e2e/sites.test.ts',
      'N45: with access to a site a link to another host asks, and a link to the same one runs',
    ],
  }),
  guard('N45', 'an image by itself may lead anywhere', {
    mark: 'N45-2',
    becomes: 'if (link === undefined) return isLoneImage(place.above) ? [] : [];',
    failed: [
      'test/e2e/sites.test.ts',
      'N45: with access to a site an area of an image map that leads to another host asks',
    ],
  }),
  guard('N47', 'a menu item with the name of a file asks', {
    mark: 'N47-1',
    becomes: '...fileItemRules(control).slice(1),',
    failed: [ATTACKS, 'N47: with access, %s asks, since it may open any file'],
  }),
  guard('N47', 'the menu of recent files asks when it is chosen by its names', {
    mark: 'N47-2',
    becomes: "...path.flatMap((name) => fileItemRules({ role: 'button', name })),",
    failed: [ATTACKS, 'N47: with access, the menu of recent files asks when it is chosen by its names'],
  }),
  guard('N48', 'a file that an editor opens may be written', {
    mark: 'N48-1',
    becomes: "const access = kind === 'open' ? 'read' : 'write';",
    failed: [
      'test/services/file-dialogs.test.ts',
      'N48: asks about a file that the person allowed to be read alone, as the app may write it',
    ],
  }),
  guard('N21', 'shift and Escape are a chord of the browser', {
    mark: 'N21-1',
    becomes: "const isOwnKey = /^f\\d+$/u.test(key) ? key !== 'f5' : false;",
    failed: [SITES, 'N21: with access, %s asks, since it may be of the browser itself'],
  }),
  guard('N43', 'no profile opens an address', {
    mark: 'N43-1',
    becomes: '',
    failed: [SITES, 'N43: under trusted too, %.60s is opened only within an access'],
  }),
  guard('N43', 'no profile lets a drag begin or end on a site', {
    mark: 'N43-2',
    becomes: 'onSite: false,',
    failed: [SITES, 'N43: under trusted too, a drag that %s on a site without access asks'],
  }),
  guard('N21', 'input to the inner pages of a browser is blocked', {
    mark: 'N4-2',
    becomes: 'return control.isOwn ? NEVER_HANDRAIL : (appObjection(control.app));',
    failed: [SITES, 'N21: input in a page %s is blocked'],
  }),
  guard('N21', 'a chord of the browser itself asks', {
    mark: 'N21-2',
    becomes: '',
    failed: [SITES, 'N21: with access, %s asks, since it may be of the browser itself'],
  }),
  guard('N18', 'the app that opens an address is compared immediately before the effect', {
    mark: 'N18-2',
    becomes: 'return judged === undefined ? null : null;',
    failed: ['test/agent/macos/input-elements.test.ts', 'N18: an address is not opened once another app is set for it'],
  }),
  guard('N10', 'no requester reads the pictures of an input', {
    mark: 'N10-1',
    becomes: '`SELECT ${COLUMNS} FROM artifacts WHERE user_id = ? AND id = ?`,',
    failed: [
      EVIDENCE,
      'N10: the person sees both pictures, and the requester neither learns of them nor can read or remove them',
    ],
  }),
  guard('N10', 'no picture is taken of a password field', {
    mark: 'N10-2',
    becomes: "return criticalLabel(name)?.family === 'signs in';",
    failed: [EVIDENCE, 'N10: no picture is taken of %s'],
  }),
  guard('N10', 'no picture is kept of a password field that an input met', {
    mark: 'N10-3',
    becomes: "if (!outcome.ok && (outcome.code === 'invalid_target')) return outcome;",
    failed: ['test/agent/evidence.test.ts', 'N10: of a click that fails, the picture which shows %s'],
  }),
];
