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
    file: 'src/services/actions/dispatch-queue.ts',
    from: 'return !others.some(isAlone) && !isHeld(kind, isPromptShown);',
    to: 'return !others.some(isAlone);',
    failed: [HANDS_OFF, 'N6: no input is sent while a prompt is shown'],
  }),
  guard('N6', 'an approval counts only without input', {
    file: 'src/services/confirmations/answer.ts',
    from: 'if (clock.nowMs() < parts.handsOffAtMs) {',
    to: 'if (parts.handsOffAtMs < 0) {',
    failed: [HANDS_OFF, 'N6: a prompt cannot be allowed while input is under way'],
  }),
  guard('N6', 'a press under input is no presence', {
    file: 'src/services/confirmations/confirmations.ts',
    from: '    holds.forget(id);',
    to: '    void holds;',
    failed: [HANDS_OFF, 'N6: a held press that began under input is no presence'],
  }),
  guard('N4', 'no text goes into a password field', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: 'control?.isPassword === true ?',
    to: 'control?.isPassword === undefined ?',
    failed: [ACCESS, 'N4: with access, %s is blocked'],
  }),
  guard('N4', 'no input reaches a window or page of Handrail', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: 'return control.isOwn ? NEVER_HANDRAIL : (appObjection',
    to: 'return (appObjection',
    failed: [PROMPT, 'N4: no profile and no grant lets input reach %s'],
  }),
  guard('N15', 'no window that shows the dashboard is closed, moved or minimized', {
    file: 'src/domain/catalogue/hands/windows.ts',
    from: 'names.some(isHandrail) || showsDashboard(window.title, names);',
    to: 'names.some(isHandrail);',
    failed: [PROMPT, 'N15: no profile lets %s change the window that shows the dashboard'],
  }),
  guard('N14', 'a text does not go on in a control that nobody has judged', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: '        ...goesOnRules(text, control),\n',
    to: '',
    failed: [ATTACKS, 'N14: %s still asks'],
  }),
  guard('N14', 'Return or Space pressed again is judged as unknown', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: 'if (keepsKeyboard(control)) return [];',
    to: 'if (keepsKeyboard(control) || true) return [];',
    failed: [ATTACKS, 'N14: %s still asks'],
  }),
  guard('N14', 'a chord is judged by what it may press', {
    file: 'src/contract/key-chords.ts',
    from: 'return custom?.danger ?? dangerOfCharacter(chord);',
    to: 'return custom?.danger;',
    failed: [ATTACKS, 'N14: %s still asks'],
  }),
  guard('N16', 'what is in front of a control is judged, too', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: '? [AT_ITS_PLACE] : []',
    to: '? [] : []',
    failed: [ATTACKS, 'N16: a click on a harmless control %s asks'],
  }),
  guard('N16', 'what has come in front of a control is noticed before the click', {
    file: 'agent/targets/recheck.ts',
    from: "isSameList(judged.others ?? [], now.others ?? []) ? [] : ['the other objects at its place']",
    to: '[]',
    failed: ['test/agent/targets/recheck.test.ts', 'N16: what has come in front of a control since is a change'],
  }),
  guard('N16', 'a place of which the app does not tell all is not taken for free', {
    file: 'agent/drivers/linux/input/others-at.ts',
    from: 'const way = answer === null ? null : await',
    to: 'const way = answer === null ? { nodes: [], end: undefined } : await',
    failed: [
      'test/agent/linux/others-at.test.ts',
      'N16: where an app tells %s of a point, it is not known what lies there',
    ],
  }),
  guard('N17', 'Return in the address bar is an address that is opened', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: 'if (control?.besidePage === true)',
    to: 'if (control?.besidePage !== undefined && control.isOwn)',
    failed: [ATTACKS, 'N17: %s in the address bar of a browser asks'],
  }),
  guard('D5', 'an app cannot keep the agent busy with a long answer', {
    file: 'agent/drivers/linux/accessible-part.ts',
    from: 'if (found === null || found.length > MOST_FOUND) return null;',
    to: 'if (found === null) return null;',
    failed: ['test/agent/linux/accessible-part.test.ts', 'D5: an app that %s is asked few questions'],
  }),
  guard('N19', 'the Delete key outside of a text asks', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: "keyOf(keys) === 'delete' && control?.isEditable !== true",
    to: "keyOf(keys) === 'delete' && control === undefined",
    failed: [ATTACKS, 'N19: %s asks'],
  }),
  guard('N13', 'the wheel over a slider or number field asks', {
    file: 'src/domain/catalogue/hands/pointer.ts',
    from: "const changesIt = TURNED_BY_WHEEL.has(control?.role ?? '');",
    to: "const changesIt = TURNED_BY_WHEEL.has('');",
    failed: [ATTACKS, 'N13: the wheel over a %s changes it, so it asks'],
  }),
  guard('N3', 'access ends where the risk is high', {
    file: 'src/domain/grant.ts',
    from: "return isRisky || isAtLeast(risk.level, 'high') ? undefined : access;",
    to: 'return isRisky ? undefined : access;',
    failed: [ACCESS, 'N3, N7: with access, %s still asks'],
  }),
  guard('N3', 'Return is judged as a click on the default button', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: 'if (control?.defaultButton !== undefined) return labelRules(control.defaultButton);',
    to: 'if (control?.defaultButton !== undefined) return [];',
    failed: [ATTACKS, 'N3: %s still asks'],
  }),
  guard('N3', 'a control is judged by its words: orders, other scripts, invisible characters', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: '    ...said.flatMap(labelRules),\n',
    to: '',
    failed: [ATTACKS, 'N3: a label %s still asks'],
  }),
  guard('N3', 'a label that the agent had to cut is not harmless', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: 'if (label.length > MAX_LABEL)',
    to: 'if (label.length > 60_000)',
    failed: [ATTACKS, 'N3: a label of 60 kB reaches the rules as one that is too long'],
  }),
  guard('N8', 'a secret is typed only after a question', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: 'return kind === undefined ? [] :',
    to: 'return kind !== undefined ? [] :',
    failed: [ATTACKS, 'N8: %s is typed only after a question'],
  }),
  guard('N9', 'a clipboard swapped before the paste is told', {
    file: 'agent/drivers/linux/input/type-text.ts',
    from: 'return isSwapped ?',
    to: 'return isSwapped && text === null ?',
    failed: [
      'test/agent/linux/paste.test.ts',
      'N9: a clipboard that another program swaps between write and paste is told, and is left to that program',
    ],
  }),
  guard('N12', 'the clipboard is pasted only after a question', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: '        ...chordRules(keys),',
    to: '',
    failed: [ATTACKS, 'N12: %s the clipboard is pasted only after a question'],
  }),
  guard('N18', 'only a plain address opens within access', {
    file: 'src/domain/catalogue/hands/open-url.ts',
    from: "({ level }) => level === 'low') && isPlainAddress(url);",
    to: "({ level }) => level === 'low');",
    failed: [OPEN_URL, 'N18: with access, an address with %s still asks'],
  }),
  guard('N18', 'an app that asks before it is opened asks before it opens an address', {
    file: 'src/domain/catalogue/hands/open-url.ts',
    from: "app.risks.every(({ level }) => level === 'low') && isPlainAddress(url);",
    to: 'isPlainAddress(url);',
    failed: [
      OPEN_URL,
      'N18: an app that asks before it is opened asks before it opens an address, though access to it was given',
    ],
  }),
  guard('N20', 'in a browser every document around a control is of a granted site', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: '  if (isBrowser(app) && (known.length === 0 || sites.includes(undefined))) return undefined;',
    to: '',
    failed: [SITES, 'N20: with access, input in %s asks, and no profile allows it'],
  }),
  guard('N20', 'an access holds for each of the sites', {
    file: 'src/services/permissions/access.ts',
    from: 'ofSites.includes(undefined) ? undefined : ofSites[0];',
    to: 'ofSites.find((grant) => grant !== undefined);',
    failed: [SITES, 'N20: with access, input in %s asks, and no profile allows it'],
  }),
  guard('N20', 'no profile lets input reach a site', {
    file: 'src/domain/profile.ts',
    from: 'onSite === true &&',
    to: 'onSite === null &&',
    failed: [SITES, 'N20: with access, input in %s asks, and no profile allows it'],
  }),
  guard('N20', 'input to a browser is asked for with its sites', {
    file: 'src/domain/catalogue/hands/request-access.ts',
    from: 'sites === undefined && namesBrowser(apps, targets) ? [WITHOUT_SITES] : []',
    to: 'sites === null ? [WITHOUT_SITES] : []',
    failed: [SITES, 'N20: input to a browser, known %s, is not asked for without sites'],
  }),
  guard('N22', 'the texts of a window are read only while it is as it was judged', {
    file: 'agent/looks/looks.ts',
    from: '    const judged = judgedWindow(attempt, windowId);\n    if (judged === undefined) return null;',
    to: '    const judged = judgedWindow(attempt, windowId);\n    if (judged !== null) return null;',
    failed: ['test/agent/hands.test.ts', 'N22: the texts of a window are read only while it is as it was judged'],
  }),
  guard('N22', 'access to an app covers the texts of its windows alone', {
    file: 'src/domain/catalogue/screen.ts',
    from: "return contents === true && format === 'text' && region?.startsWith('@') === false ? region : undefined;",
    to: "return contents === true && format === 'text' ? (region ?? '0x1') : undefined;",
    failed: [
      'test/services/access.test.ts',
      'N22: access to %s lets the texts of one of its windows through, and no others',
    ],
  }),
  guard('N44', 'a look at a browser is for the site of the page that it shows', {
    file: 'src/domain/catalogue/window-words.ts',
    from: '...(site !== undefined && { sites: [site] })',
    to: '...(site !== undefined && { sites: [] })',
    failed: [
      SITES,
      'N44: an access to sites lets $actionType look at a window that shows a page of one, and at no other',
    ],
  }),
  guard('N44', 'a look tells nothing of a page of another site', {
    file: 'agent/looks/looks.ts',
    from: ' ?? refuseOtherSite(judged, now.data))',
    to: ')',
    failed: ['test/agent/hands.test.ts', 'N44: nothing is told of a window that has gone on to a page of another site'],
  }),
  guard('N45', 'a link is judged by where it leads, too', {
    file: 'agent/drivers/linux/input/surroundings.ts',
    from: 'const documents = [...leadsTo, ...around];',
    to: 'const documents = [...leadsTo, ...around].slice(leadsTo.length);',
    failed: [
      'test/e2e/sites.test.ts',
      'N45: with access to a site a link to another host asks, and a link to the same one runs',
    ],
  }),
  guard('N45', 'an image by itself may lead anywhere', {
    file: 'agent/drivers/linux/input/surroundings.ts',
    from: "return isLoneImage(place.above) ? [''] : [];",
    to: 'return isLoneImage(place.above) ? [] : [];',
    failed: [
      'test/e2e/sites.test.ts',
      'N45: with access to a site an area of an image map that leads to another host asks',
    ],
  }),
  guard('N47', 'a menu item with the name of a file asks', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: '    ...fileItemRules(control),\n',
    to: '    ...fileItemRules(control).slice(1),\n',
    failed: [ATTACKS, 'N47: with access, %s asks, since it may open any file'],
  }),
  guard('N47', 'the menu of recent files asks when it is chosen by its names', {
    file: 'src/domain/catalogue/hands/windows.ts',
    from: "...path.flatMap((name) => fileItemRules({ role: 'menuitem', name })),",
    to: "...path.flatMap((name) => fileItemRules({ role: 'button', name })),",
    failed: [ATTACKS, 'N47: with access, the menu of recent files asks when it is chosen by its names'],
  }),
  guard('N48', 'a file that an editor opens may be written', {
    file: 'src/domain/catalogue/hands/file-dialog.ts',
    from: "kind === 'open' && isBrowser(control.app) ? 'read' : 'write';",
    to: "kind === 'open' ? 'read' : 'write';",
    failed: [
      'test/services/file-dialogs.test.ts',
      'N48: asks about a file that the person allowed to be read alone, as the app may write it',
    ],
  }),
  guard('N21', 'shift and Escape are a chord of the browser', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: "key === 'escape' && modifiers.includes('shift');",
    to: 'false;',
    failed: [SITES, 'N21: with access, %s asks, since it may be of the browser itself'],
  }),
  guard('N43', 'no profile opens an address', {
    file: 'src/domain/catalogue/hands/open-url.ts',
    from: '      onSite: siteOf(url) !== undefined,\n',
    to: '',
    failed: [SITES, 'N43: under trusted too, %.60s is opened only within an access'],
  }),
  guard('N43', 'no profile lets a drag begin or end on a site', {
    file: 'src/domain/catalogue/hands/pointer.ts',
    from: '      onSite: start.facts.onSite === true || end.facts.onSite === true,\n',
    to: '      onSite: false,\n',
    failed: [SITES, 'N43: under trusted too, a drag that %s on a site without access asks'],
  }),
  guard('N21', 'input to the inner pages of a browser is blocked', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: ' ?? pageObjection(control));',
    to: ');',
    failed: [SITES, 'N21: input in a page %s is blocked'],
  }),
  guard('N21', 'a chord of the browser itself asks', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: '        ...browserRules(keys, control),',
    to: '',
    failed: [SITES, 'N21: with access, %s asks, since it may be of the browser itself'],
  }),
  guard('N18', 'the app that opens an address is compared immediately before the effect', {
    file: 'agent/drivers/apps/resolved-risk.ts',
    from: "return judged === undefined ? null : recheck(judged, { kind: 'opener', app });",
    to: 'return judged === undefined ? null : null;',
    failed: ['test/agent/macos/input-elements.test.ts', 'N18: an address is not opened once another app is set for it'],
  }),
  guard('N10', 'no requester reads the pictures of an input', {
    file: 'src/store/records/artifacts.ts',
    from: 'WHERE user_id = ? AND id = ? AND role IS NULL',
    to: 'WHERE user_id = ? AND id = ?',
    failed: [
      EVIDENCE,
      'N10: the person sees both pictures, and the requester neither learns of them nor can read or remove them',
    ],
  }),
  guard('N10', 'no picture is taken of a password field', {
    file: 'src/services/actions/evidence.ts',
    from: 'return isPassword || ',
    to: 'return ',
    failed: [EVIDENCE, 'N10: no picture is taken of %s'],
  }),
  guard('N10', 'no picture is kept of a password field that an input met', {
    file: 'agent/hands/evidence.ts',
    from: 'outcome.isPrivate || ',
    to: '',
    failed: ['test/agent/evidence.test.ts', 'N10: of a click that fails, the picture which shows %s'],
  }),
];
