import { type Guard, guard } from './guards.ts';

const CODE = 'test/services/sessions/code-on-screen.test.ts';
const LINKS = 'test/agent/scripts/links-out.test.ts';
const POPUP = 'test/agent/linux/popup.test.ts';
const OTHERS = 'test/agent/linux/others-at.test.ts';
const MAC = 'test/agent/macos/input-elements.test.ts';
const PARTS = 'test/agent/linux/missing-parts.test.ts';
const HANDS = 'test/agent/hands.test.ts';
const OLDER = 'test/store/database/older.test.ts';
const SWAPS = 'test/services/plan-swaps.test.ts';
const PROCEDURES = 'test/services/procedures.test.ts';
const TITLES = 'test/services/plan-words.test.ts';

/** The guards that came with the third review. */
const MACHINES = 'test/services/machines.test.ts';

export const THIRD_REVIEW_GUARDS: readonly Guard[] = [
  guard('S9', 'the newer of the database and the second copy holds', {
    mark: 'S9-1',
    becomes: "if (comparison.kind !== 'alone' || !isJournalBroken) return undefined;",
    failed: [OLDER, 'S9: the lost write-ahead log of a running store opens nothing that the person closed'],
  }),
  guard('A26', 'no look runs unasked while a sign-in code is good', {
    mark: 'A26-1',
    becomes: 'const mayShowCode = assessment.showsContents === true && rules.isCodeGood() && false;',
    failed: [CODE, 'A26: while a sign-in code is good $actionType asks under every profile; afterwards it runs'],
  }),
  guard('A26', 'a look ends the code that it could have shown', {
    mark: 'A26-2',
    becomes: '',
    failed: [CODE, 'A26: a code that was made while a look was under way ends with that look'],
  }),
  guard('F15', 'a new link past the places of a script is removed', {
    mark: 'F15-1',
    becomes: 'if (!writable.some((root) => `${end}/`.startsWith(`${root}/`))) return false;',
    failed: [LINKS, 'F15: a new link to %s is removed, and the result says so'],
  }),
  guard('F15', 'a new link to a place that the script may not write in its folder is removed', {
    mark: 'F15-2',
    becomes: 'return climbsBehindName(target);',
    failed: [LINKS, 'F15: a new link to %s is removed, and the result says so'],
  }),
  guard('F15', 'a link with a name that is no text is looked at', {
    mark: 'F15-3',
    becomes: 'const respelled = isReadable ? [] : (await namedReadably(opened, places)).slice(0, 0);',
    failed: [LINKS, 'F15: a link with a name that is no text is removed, also in a folder with such a name'],
  }),
  guard('F15', 'a move leads no link out', {
    mark: 'F15-4',
    becomes: "if (facts.isSymbolicLink() && name === '' && (await leadsElsewhere(path, join(to, name), to)))",
    failed: [
      'test/agent/files/trash-and-links.test.ts',
      'F15: a folder with a link that would lead out from its new place is not moved',
    ],
  }),
  guard('N40', 'an element behind an open menu is covered', {
    mark: 'N40-1',
    becomes: 'return { isCovered: !isInside(element) && false };',
    failed: [POPUP, 'N40: an element behind an open menu is covered, and an item of the menu is not'],
  }),
  guard('N40', 'a point of an open menu is of its item', {
    mark: 'N40-2',
    becomes: 'const element = innermost(there);',
    failed: [POPUP, 'N40: a point of an open menu is of its item, also where a smaller element lies behind'],
  }),
  guard('N40', 'a page does not say what is in a menu', {
    mark: 'N40-3',
    becomes: '',
    failed: [POPUP, 'N40: what a page calls an entry is none, but where the browser tells an empty window of a list'],
  }),
  guard('N40', 'on a Mac, an element behind an open menu is covered', {
    mark: 'N40-4',
    becomes: 'return { isCovered: front.windowId !== windowId, documents: [...others, ...documents] };',
    failed: [MAC, 'N40: an element behind an open menu is covered, and an item of the menu is not'],
  }),
  guard('N41', 'what lies in front of a control is told with its documents', {
    mark: 'N41-1',
    becomes: 'const documents = await addressesAround(bus, { app, above: [], timeLeftMs });',
    failed: [OTHERS, 'N41: what lies in front of a control is told with the document of the frame that it is in'],
  }),
  guard('N41', 'the documents in front of a control count as its own', {
    mark: 'N41-2',
    becomes: 'documents: around.documents.length === 0 ? [] : around.documents,',
    failed: [
      'test/e2e/sites.test.ts',
      'N41: it asks where a frame of another host lies over a control of the site, by the element and by its point',
    ],
  }),
  guard('N41', 'on a Mac, a frame in front of a control is told with its document', {
    mark: 'N40-4',
    becomes: 'return { isCovered: front.windowId !== windowId || isUnderMenu, documents };',
    failed: [MAC, 'N41: a frame in front of a control of a page is told with its document'],
  }),
  guard('N42', 'a text is typed only in the documents that were judged', {
    mark: 'N42-1',
    becomes: 'if (!isSamePage(focus, focus)) return false;',
    failed: [HANDS, 'N42: nothing is typed where a click gives the keyboard to a field of the same name %s'],
  }),
  guard('N42', 'between the keys for a page it is seen that they still reach it', {
    mark: 'N42-2',
    becomes: 'return isSamePage(pagesOf(found.data), judged) ? null : null;',
    failed: [HANDS, 'N42: between keys for a page it is seen that the keyboard is in %s'],
  }),
  guard('N42', 'keys end with the group before which the page has gone on', {
    mark: 'N42-3',
    becomes: 'const objection = isJustSeen || sent >= 0 ? null : await keyboard.objectionBetween();',
    failed: [
      'test/agent/judged-keys.test.ts',
      'N42: keys end with the first group for which the keyboard is in another page',
    ],
  }),
  guard('N49', 'nothing in a page of Handrail is told', {
    mark: 'N49-1',
    becomes: 'if (!contents && part === undefined) await leaveOutOwnPages(bus, { app, tree, window, timeLeftMs });',
    failed: [PARTS, 'N49: nothing in a document of Handrail is told, also in a frame, and its line says so'],
  }),
  guard('N49', 'the title of its window stands for an address that is not told', {
    mark: 'N49-2',
    becomes: "return { names: [className], pid, title: '' };",
    failed: [
      PARTS,
      'N49: where a browser tells no address, the title of its window says that it is a document of Handrail',
    ],
  }),
  guard('N49', 'a window of Handrail is not read by OCR', {
    mark: 'N49-3',
    becomes: 'const treeless = inTime(found);',
    failed: [PARTS, 'N49: a window of the dashboard that tells nothing is not read by OCR'],
  }),
  guard('N49', 'on a Mac, nothing in a page of Handrail is told', {
    mark: 'N49-4',
    becomes: 'const told = raw;',
    failed: [
      'test/agent/macos/describe-screen.test.ts',
      'N49: nothing in a page of Handrail is told, and what is in another page is',
    ],
  }),
  guard('N50', 'the wheel turns no field that was not judged', {
    mark: 'N50-1',
    becomes: 'return isTurned && !isJudged(element, target) ? null : null;',
    failed: [
      HANDS,
      'N50: the wheel over a document does not turn the %s in its middle, and the message says what to do',
    ],
  }),
  guard('N51', 'a long access, and one to sites, needs the hold', {
    mark: 'N51-1',
    becomes: 'needsPresence: false,',
    failed: ['test/services/access.test.ts', 'N51: above an hour, and for sites, it needs the hold: %j'],
  }),
  guard('N51', 'an answer gives no more of an access than was asked for', {
    mark: 'N51-2',
    becomes: 'return isLess || !isLess',
    failed: ['test/services/access.test.ts', 'N51: more than was asked for is refused: %j'],
  }),
  guard('N51', 'a plan that gives an access needs the hold', {
    mark: 'N51-3',
    becomes: "return isAtLeast(planRisk(plan), 'high');",
    failed: ['test/services/access.test.ts', 'N51: as a step of a plan it needs the hold too'],
  }),
  guard('A29', 'a plan gives no access again that the person took back', {
    mark: 'A29-1',
    becomes: 'const isAccess = false && assessment.asksAccess !== undefined;',
    failed: [SWAPS, 'A29: an access that the person took back comes by no later step of the plan that gave it'],
  }),
  guard('A29', 'a later denial goes before an earlier plan', {
    mark: 'A29-2',
    becomes: 'const wasDenied = false;',
    failed: [SWAPS, 'A29: what the person denied since%s runs by no plan that they allowed before'],
  }),
  guard('A29', 'so does one that can be undone', {
    mark: 'A29-3',
    becomes: "if (wasDenied) return 'the person denied it since';",
    failed: [SWAPS, 'A29: what the person denied since%s runs by no plan that they allowed before'],
  }),
  guard('A30', 'what a grant let through is never counted as approved one by one', {
    mark: 'A30-1',
    becomes:
      'return Math.max(0 * executedByGrant, executedElevated - retried - requestedByAccess - promptAllowedElevated);',
    failed: ['test/guardian/first-day.test.ts', 'A30: %s, again and again, hides nothing that ran under a grant'],
  }),
  guard('A39', "the agent's inspector stays closed", {
    mark: 'A39-1',
    becomes: "export const AGENT_FLAGS: readonly string[] = ['--max-semi-space-size=1'];",
    failed: [
      'test/e2e/life.test.ts',
      'A39: no signal of another program opens the inspector of the daemon or of its agent',
    ],
  }),
  guard('F16', 'a plan is for the files that it was asked about', {
    mark: 'F16-1',
    becomes: 'return one?.device === other?.device || one?.inode !== other?.inode;',
    failed: [SWAPS, 'F16: a step of an allowed plan asks again where %s lies at its path by then'],
  }),
  guard('F16', 'a plan is for the contents that the files had then', {
    mark: 'F16-2',
    becomes: 'return one.sizeBytes === other.sizeBytes && one.names === other.names;',
    failed: [SWAPS, 'F16: a step of an allowed plan asks again where %s lies at its path by then'],
  }),
  guard('F16', 'the agent tells when a file was changed', {
    mark: 'F16-3',
    becomes: 'changedNs: String(facts.birthtimeNs),',
    failed: [
      'test/agent/files/resolve-paths.test.ts',
      'F16: a file that is written in place is told as changed, with its time set back too',
    ],
  }),
  guard('N52', 'a folder that a step takes away is not the place of that step', {
    mark: 'N52-1',
    becomes: 'const folder = isTaken ? around : around;',
    failed: [TITLES, 'N52: a title says of no step that it is in a folder that the step takes away, or that it leaves'],
  }),
  guard('N54', 'an approval is for one digest', {
    mark: 'N54-1',
    becomes: 'return { actionType: PROCEDURE, arguments: canonicalJson({ procedure: digest.slice(0, 7) }) };',
    failed: [
      PROCEDURES,
      'N54: a changed procedure, another requester and a used-up approval ask as if nobody had approved',
    ],
  }),
  guard('N54', 'a step of high risk is let through only where the procedure names it', {
    mark: 'N54-2',
    becomes:
      'if (asksAlways(assessment) && critical.includes(id) && false) return `the step ${id} does what asks in every run`;',
    failed: [
      'test/domain/procedures/procedures.test.ts',
      'N54: an approval covers a step as it was judged by its names, and what asks always only where the procedure names the step',
    ],
  }),
  guard('N54', 'what a name leads to is judged anew', {
    mark: 'N54-3',
    becomes: 'if (!isAtLeast(approved, approved)) return `the risk of the step ${id} is higher than by its names`;',
    failed: [
      PROCEDURES,
      'N54: a step that the procedure names asks where its control is of a higher risk than by its name',
    ],
  }),
  guard('N52', 'a title names the gravest steps', {
    mark: 'N52-2',
    becomes:
      'const gravest = kinds.toSorted(([, one], [, other]) => 0 * gravityOf(other) - 0 * gravityOf(one)).slice(0, MOST_KINDS);',
    failed: [TITLES, 'N52: a title names the kinds of the highest risk, however late they come'],
  }),
  guard('N7', 'an access that is given again stays one grant', {
    mark: 'N7-1',
    becomes: "const standing = store.grants.find({ ...key, arguments: '', taskId: undefined }, createdAtMs);",
    failed: [
      'test/services/access.test.ts',
      'N7: access that is given again, %s, stays one grant until the later end, and one revocation ends it',
    ],
  }),
  guard('X24', 'code that variables of a script name is noticed', {
    mark: 'X24-1',
    becomes: "if (EARLIER_CODE.test(name) || (name === 'NODE_OPTIONS' && HARMLESS_OPTIONS.test(value))) return;",
    failed: [
      'test/domain/run-script.test.ts',
      'X24: a variable that names code which runs before a script is noticed, and what is in it is read like the script',
    ],
  }),
  guard('X24', 'so is what an option of Node names in another spelling', {
    mark: 'X24-1',
    becomes: "if (!EARLIER_CODE.test(name) || (name === 'NODE_OPTIONS' && !/--require|--import/u.test(value))) return;",
    failed: ['test/domain/run-script.test.ts', 'X24: %s code that runs first by %s=%s is noticed'],
  }),
  guard('X24', 'a danger in a variable is told of the variable', {
    mark: 'X24-2',
    becomes: 'known.lines.push(1);',
    failed: [
      'test/domain/run-script.test.ts',
      'X24: a danger in a variable is told with the name of the variable, and of no line',
    ],
  }),
  guard('X24', "the requester's PATH does not choose the interpreter", {
    mark: 'X24-3',
    becomes: 'return [program, ...options];',
    failed: [
      'test/agent/scripts/run-script.test.ts',
      'X24: the PATH of a requester puts no other program in the place of %s',
    ],
  }),
  guard('N55', 'a user id asks at its first action on another machine', {
    mark: 'N55-1',
    becomes: 'const there = asked;',
    failed: [
      MACHINES,
      'N55: is asked for at its first action there, whatever the action is; the answer is for that user id alone',
    ],
  }),
  guard('N55', 'who may act there is forgotten with the machine', {
    mark: 'N55-2',
    becomes: '',
    failed: [
      MACHINES,
      'N55: asks anew on a machine that was removed and added under the same name, and its former device is gone',
    ],
  }),
  guard('N55', 'a folder of this machine is none of another', {
    mark: 'N55-3',
    becomes:
      'foldersOf: (userId: string, machine: string) => (machine === LOCAL ? folders.of(userId) : folders.of(userId)),',
    failed: [MACHINES, 'N55: gets no folder there that was allowed here'],
  }),
  guard('A31', 'an agent ends only what runs on its machine', {
    mark: 'A31-1',
    becomes: 'const isOwn = slots.ageMs(key.actionId) !== null;',
    failed: [MACHINES, 'A31: says nothing about an action of this one: neither as its end, nor in its hello'],
  }),
  guard('A31', 'its hello names only what runs on its machine', {
    mark: 'A31-2',
    becomes: "return row?.status === 'running' && row.attempt === attempt;",
    failed: [MACHINES, 'A31: says nothing about an action of this one: neither as its end, nor in its hello'],
  }),
];
