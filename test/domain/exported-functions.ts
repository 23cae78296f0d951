import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { READING } from './reading-functions.ts';

/** Functions that are called with a requester's text only by functions in `READING`, which are measured with them. */
const WITHIN = [
  'contract/unseen-characters spelledOut',
  'domain/scripts/call readArguments',

  'domain/scripts/code/analyse analyseCode',
  'domain/scripts/code/apple-script analyseAppleScript',
  ...['argumentsOf', 'computedCall', 'objectBefore', 'textsFrom'].map(
    (name) => `domain/scripts/code/arguments ${name}`,
  ),
  ...['createLooks', 'endOf'].map((name) => `domain/scripts/looks ${name}`),
  'domain/scripts/notice-dangers dangersNoticed',
  ...['noticedInSentence', 'noticedInView', 'rulesOfNoticed'].map((name) => `domain/scripts/noticed-words ${name}`),
  'domain/scripts/shell/analyse analyseShell',
  'domain/scripts/shell/words createCommand',
  ...['addText', 'addVariable', 'closeBracket', 'createFrames', 'endAll', 'endWord', 'kindOf', 'openBracket'].map(
    (name) => `domain/scripts/shell/frames ${name}`,
  ),
  ...['openCommands', 'openText', 'pop', 'redirectTo', 'separate', 'tick'].map(
    (name) => `domain/scripts/shell/frames ${name}`,
  ),

  'domain/scripts/shell/interpreters interpreterOf',
  'domain/scripts/shell/interpreters runInterpreter',
  'domain/scripts/shell/scan scanShell',
  'domain/scripts/shell/words createVariables',
  ...['foundAt', 'kindAt', 'shownPath'].map((name) => `domain/catalogue/file-target ${name}`),
  'domain/catalogue/definition defineAction',
  ...['fileItemRules', 'openFileRules'].map((name) => `domain/catalogue/hands/control-target ${name}`),
  'domain/catalogue/window-words charactersIn',
  ...['appFacts', 'controlFacts', 'controlOf', 'controlTarget', 'controlWords', 'labelOf'].map(
    (name) => `domain/catalogue/hands/control-target ${name}`,
  ),
  ...['appObjection', 'labelRules', 'placeFaults', 'wordRules'].map(
    (name) => `domain/catalogue/hands/control-target ${name}`,
  ),
  ...['quoted', 'shortened'].map((name) => `domain/catalogue/window-words ${name}`),
  ...['forAll', 'handlersOf'].map((name) => `domain/scripts/commands/rows ${name}`),
  ...['noticedInSandbox', 'rulesOfConfined'].map((name) => `domain/scripts/noticed-words ${name}`),
  'domain/other-screens showsOtherScreen',
  ...['hasNameOfBrowser', 'isBrowser', 'siteObjection', 'siteOf'].map((name) => `contract/web-address ${name}`),
  ...['accessToWindow', 'menuOfBrowserRules'].map((name) => `domain/catalogue/hands/control-target ${name}`),
  'domain/catalogue/hands/control-target chordRulesOfBrowser',
];

/** Functions that compare, count or build, and take no requester's text apart. */
const OTHERS = [
  'contract/times minutesInWords',
  ...['idByName', 'nameInId', 'wordsOfName'].map((name) => `contract/control-name ${name}`),
  ...['boundFault', 'boundSchema', 'placeOf', 'readArguments'].map((name) => `domain/procedures/bounds ${name}`),
  'domain/procedures/words targetByName',
  ...['asksAlways', 'stepFlaw'].map((name) => `domain/procedures/cover ${name}`),
  'domain/procedures/cover procedureDigest',
  ...['draftOf', 'isSameWork', 'nameOf', 'shapeOf'].map((name) => `domain/procedures/make ${name}`),
  ...['expectationId', 'namedSteps', 'parametersIn', 'procedureFaults', 'stepsOfRun'].map(
    (name) => `domain/procedures/steps ${name}`,
  ),
  ...['approvedRisks', 'stepsInWords'].map((name) => `domain/procedures/words ${name}`),
  'contract/dangers placeOf',
  ...['done', 'doneIn', 'doneInWindow', 'doneWithFile', 'doneWithMoved', 'doneWithTaken', 'isRenamed', 'placeOf'].map(
    (name) => `domain/catalogue/done ${name}`,
  ),
  ...['initialState', 'isTerminal', 'nextState'].map((name) => `domain/action-state ${name}`),
  'domain/persons-answer breakerReason',
  ...['personalRule', 'placeRules'].map((name) => `domain/catalogue/file-actions ${name}`),
  ...['namedAt', 'sentenceOn'].map((name) => `domain/catalogue/file-target ${name}`),
  ...['takenFile', 'withTaken'].map((name) => `domain/catalogue/hands/file-dialog ${name}`),
  ...['clickOpens', 'dropOpens', 'itemOpens', 'keyOpens', 'textOpens'].map(
    (name) => `domain/catalogue/hands/file-dialog ${name}`,
  ),
  ...['appOfWindow', 'isAppOf', 'isInDashboard'].map((name) => `domain/dashboard-apps ${name}`),
  'contract/withdrawn isWithdrawn',
  ...['isPersonsAnswer', 'isPersonsDenial', 'isPersonsInterruption', 'promptStatusOf'].map(
    (name) => `domain/persons-answer ${name}`,
  ),
  ...['accessApp', 'isAccessId'].map((name) => `domain/grant ${name}`),
  ...['countedAs', 'isCapture', 'isInput'].map((name) => `domain/catalogue ${name}`),
  'domain/action-state actionError',
  'domain/canonical-json isLargerThan',
  ...['accessKey', 'accessOf', 'accessParts', 'accessSentence', 'grantArguments', 'mayStand'].map(
    (name) => `domain/grant ${name}`,
  ),
  ...['fileFor', 'keyOf', 'placeReference', 'targetFor'].map((name) => `contract/targets ${name}`),
  ...['areLong', 'hasText', 'mustOpen', 'mustShowArguments'].map((name) => `contract/first-layer ${name}`),
  ...['codeOf', 'deliveryIn', 'deliveryWords'].map((name) => `contract/delivery-words ${name}`),
  ...['withApps'].map((name) => `domain/catalogue/apps ${name}`),
  ...['filesIn', 'pathReference'].map((name) => `domain/catalogue/file-target ${name}`),
  ...['lookInto', 'windowIn'].map((name) => `domain/catalogue/window-words ${name}`),
  'domain/grant offeredScopes',
  ...['comparedWith', 'policyOf', 'testExamples'].map((name) => `domain/policy ${name}`),
  ...['heldName', 'minutes', 'outsidePlan', 'refusedCapability', 'stricter'].map((name) => `domain/profile ${name}`),
  ...['assessRisk', 'highestOf', 'isAtLeast', 'raisedOneLevel'].map((name) => `domain/risk ${name}`),
  'domain/task-graph ancestorsOf',
  ...['isStepEnded', 'planSteps', 'taskStatusOf'].map((name) => `domain/task-schedule ${name}`),

  ...['isAbout', 'recordedEvent'].map((name) => `domain/journal/journal-event ${name}`),
  'contract/metrics causeOf',
  ...['around', 'intersection', 'intersects', 'isSameBounds'].map((name) => `contract/bounds ${name}`),
  'contract/doing doing',

  ...['displayAt', 'globalPoint', 'isIn', 'isStale', 'onGrid', 'regionOf', 'toDesktop'].map(
    (name) => `contract/picture-frames ${name}`,
  ),
  'contract/guardian OrNull',
  'contract/heartbeat createHeartbeat',
  'contract/lazy-check lazyCheck',
  'contract/link requestIdOf',
  'contract/machine remoteCommandOf',
  'contract/machine-rules behindMachine',
  'contract/machine-rules machineFault',
  ...['machineWords', 'onMachine', 'withoutMachine'].map((name) => `domain/machine-words ${name}`),
  'contract/list pageOf',
  ...['described', 'oneOf'].map((name) => `contract/literals ${name}`),
  'contract/key-chords chordDanger',
  'contract/key-chords isOfApp',
  'contract/pictures marksOf',
  'contract/metrics limitEnd',
  'contract/pictures isOneColour',
  'contract/pictures sizeWithin',
  ...['folderOfPath', 'freeName'].map((name) => `contract/procedure-values ${name}`),
  'contract/remembering remembering',
  'contract/schema-faults unknownProperty',
  ...['proofText', 'provedText'].map((name) => `contract/session-proof ${name}`),
  'contract/shell-calls channelOf',
  'contract/socket-transport createSocketTransport',
  ...['createFrameReader', 'frameHead'].map((name) => `contract/stream-transport ${name}`),
  'contract/stream-transport createStreamTransport',
  'contract/transport beginningOf',
];

/** The functions of the lists above, in order. */
export function listedFunctions(): string[] {
  const measured = Object.keys(READING).filter((name) => !name.includes(':') && !name.startsWith('catalogue '));
  return [...measured, ...WITHIN, ...OTHERS].toSorted();
}

/** Every function that the modules of `src/domain` and `src/contract` export, in order. */
export async function exportedFunctions(): Promise<string[]> {
  const root = join(import.meta.dirname, '../../src');
  const files = ['domain', 'contract'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
  );
  const modules = files.filter((file) => file.endsWith('.ts'));
  const found = await Promise.all(
    modules.map(async (file) => {
      const module: Record<string, unknown> = await import(join(root, file));
      const names = Object.entries(module).filter(([, value]) => typeof value === 'function');
      return names.map(([name]) => `${file.slice(0, -3)} ${name}`);
    }),
  );
  return found.flat().toSorted();
}
