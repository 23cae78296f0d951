import { appNameObjection, isSameApp, plainName } from '../../src/contract/app-name.ts';
import type { Prompt } from '../../src/contract/console.ts';
import { dangersOf, worstOf } from '../../src/contract/dangers.ts';
import { MAX_LOOKED_BYTES, MAX_LOOKED_CHARACTERS } from '../../src/contract/files.ts';
import { titleOf } from '../../src/contract/first-layer.ts';
import { chordDanger, MAX_CHORD, parseChord } from '../../src/contract/key-chords.ts';
import {
  holdsSettings,
  isOfPackages,
  lastingEffectAt,
  loadedCodeAt,
  settingsEffectAt,
  startsByItself,
} from '../../src/contract/lasting-places.ts';
import { folded, nearNames } from '../../src/contract/near-names.ts';
import { networkHost } from '../../src/contract/network-hosts.ts';
import { hasTitleOfDashboard, showsDashboard } from '../../src/contract/own-window.ts';
import { createRunFinder } from '../../src/contract/path-runs.ts';
import { pointerToken, schemaFaults, withoutUnknown } from '../../src/contract/schema-faults.ts';
import { type Interpreter, RunScriptParameters } from '../../src/contract/scripts.ts';
import { comparablePath, secretAt } from '../../src/contract/secret-paths.ts';
import { isFileManager, isHandrail, sensitivity } from '../../src/contract/sensitive-apps.ts';
import { readProof } from '../../src/contract/session-proof.ts';
import { readSignInCode } from '../../src/contract/sign-in-code.ts';
import { MAX_ADDRESS, webAddress } from '../../src/contract/web-address.ts';
import { canonicalJson, canonicalObject } from '../../src/domain/canonical-json.ts';
import { appNameFaults, appTarget } from '../../src/domain/catalogue/apps.ts';
import { folderMoved } from '../../src/domain/catalogue/file-actions.ts';
import { contentsAt } from '../../src/domain/catalogue/file-contents.ts';
import { fileTarget, hiddenRule, isHiddenPlace, isWithin, pathFault } from '../../src/domain/catalogue/file-target.ts';
import { isPlainAddress } from '../../src/domain/catalogue/hands/open-url.ts';
import { displayFaults, displayTarget } from '../../src/domain/catalogue/screen.ts';
import {
  pathWords,
  textView,
  textWords,
  windowFacts,
  windowSentence,
} from '../../src/domain/catalogue/window-words.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { criticalLabel, isTrash, plainLabel } from '../../src/domain/critical-controls.ts';
import { grantSentence, habitOf } from '../../src/domain/grant.ts';
import { judge } from '../../src/domain/profile.ts';
import { effectOf } from '../../src/domain/scripts/code/calls.ts';
import { readTokens } from '../../src/domain/scripts/code/tokens.ts';
import { noteStatements } from '../../src/domain/scripts/commands/development.ts';
import { isOnAnotherComputer } from '../../src/domain/scripts/commands/files.ts';
import { hostOf } from '../../src/domain/scripts/commands/network.ts';
import { listed, shortened } from '../../src/domain/scripts/finding.ts';
import { noticeDangers, scriptWritten } from '../../src/domain/scripts/notice-dangers.ts';
import { leavesFrom, personalRecordsAt, secretMeant, secretNamed } from '../../src/domain/scripts/places.ts';
import { decoded, unwrap } from '../../src/domain/scripts/shell/interpreters.ts';
import { decodeEscapes } from '../../src/domain/scripts/shell/words.ts';
import { secretInText } from '../../src/domain/secret-text.ts';
import {
  graphFaults,
  openFaults,
  parseReference,
  referencesIn,
  resolveReferences,
  valueAt,
} from '../../src/domain/task-graph.ts';

/** `most`: the length of the longest text that is let in. */
export type Reading = { most: number; read(text: string): unknown };

const [APP, PATH, SCRIPT, BODY] = [200, 4_096, 60_000, 1_000_000];
const IDS = Array.from({ length: 100 }, (_, index) => `step.${index}`);
const WORDS = Array.from({ length: 100 }, (_, index) => `Program of the System ${index}`);
const FOLDERS = [{ path: '/home/ann', access: 'write' }] as const;
const seen = (path: string) => ({
  files: [{ path, realPath: path, kind: 'file', folder: { device: '1', inode: '1' } } as const],
  folders: FOLDERS,
});
const windowOf = (text: string) => ({
  id: '1',
  app: text,
  title: text,
  pid: 1,
  bounds: { x: 0, y: 0, width: 1, height: 1 },
});
const script = (interpreter: Interpreter): Reading => ({
  most: SCRIPT,
  read: (text) => noticeDangers({ interpreter, script: text }),
});
const within = (before: string, after: string, interpreter: Interpreter = 'sh'): Reading => ({
  most: SCRIPT - before.length - after.length,
  read: (text) => noticeDangers({ interpreter, script: `${before}${text}${after}` }),
});
const assessed = (type: string, parameters: (text: string) => Record<string, unknown>, most: number): Reading => ({
  most,
  read: (text) => {
    const { path, from, folder } = parameters(text);
    const real = String(path ?? from ?? folder ?? '');
    return CATALOGUE.get(type)?.assess(parameters(text), seen(real));
  },
});
const RULES = ['/**/a/**/b', '~/**/*.ts', '/home/*/a*a*b', '/**'].map((glob) => ({
  verdict: 'ask' as const,
  paths: [glob],
  apps: ['Firefox'],
}));
const PROFILE = {
  name: 'mine',
  rules: RULES,
  byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' },
} as const;

function judged(path: string) {
  const checked = CATALOGUE.get('ReadFile')?.assess({ path: '/a' });
  if (checked?.ok !== true) throw new Error('ReadFile takes the path /a');
  const assessment = { ...checked.assessment, paths: [path], apps: [path.slice(0, APP)] };
  const recent = { perMinute: 0, perHour: 0 };
  return judge(
    { assessment, actionType: 'ReadFile', effectClass: 'pure', minuteOfDay: 0, recent, capabilities: {} },
    PROFILE,
  );
}

/** A prompt about a script with a hundred dangers, each of which names the same text. */
function promptOf(text: string): Prompt {
  const words = `deletes ${text.slice(0, text.length / 100)}`;
  const noticed = Array.from({ length: 100 }, (_, index) => ({ words, lines: [index] }));
  const sight = { language: 'shell', text, reads: [], writes: [], network: [], noticed, noticedCut: true };
  const risk = { level: 'high', reasons: noticed.map((danger) => `It ${danger.words} (line 1).`) } as const;
  return { sentence: `${text}. Handrail noticed: ${words}`, script: sight, risk } as unknown as Prompt;
}

/** Functions that read a requester's text, and ways to call them with it. The name before a colon is that of the module and function. */
export const READING: Readonly<Record<string, Reading>> = {
  'contract/app-name appNameObjection': { most: APP, read: appNameObjection },
  'contract/app-name isSameApp': { most: APP, read: (text) => isSameApp(text, text) },
  'contract/app-name plainName': { most: APP, read: plainName },
  'contract/dangers dangersOf': { most: SCRIPT, read: (text) => dangersOf(promptOf(text), undefined) },
  'contract/dangers worstOf': { most: SCRIPT, read: (text) => worstOf([{ words: text, at: text }], 'action') },
  'contract/first-layer titleOf': { most: SCRIPT, read: (text) => titleOf(promptOf(text)) },
  'contract/key-chords parseChord': {
    most: MAX_CHORD,
    read: (text) => {
      const chord = parseChord(text);
      return 'fault' in chord ? chord : chordDanger(chord);
    },
  },
  'contract/lasting-places holdsSettings': { most: SCRIPT, read: holdsSettings },
  'contract/lasting-places lastingEffectAt': { most: SCRIPT, read: lastingEffectAt },
  'contract/lasting-places startsByItself': { most: SCRIPT, read: startsByItself },
  'contract/near-names folded': { most: APP, read: folded },
  'contract/near-names nearNames': { most: APP, read: (text) => nearNames(text, WORDS) },
  'contract/network-hosts networkHost': { most: 253, read: networkHost },
  'contract/own-window hasTitleOfDashboard': { most: APP, read: hasTitleOfDashboard },
  'contract/own-window showsDashboard': { most: APP, read: (text) => showsDashboard(text, [text]) },
  'contract/path-runs createRunFinder': {
    most: PATH,
    read: createRunFinder([{ meaning: 1, runs: ['a/a/b', '.config/gh'] }]),
  },
  'contract/schema-faults pointerToken': { most: BODY, read: pointerToken },
  'contract/schema-faults schemaFaults': {
    most: BODY,
    read: (text) => schemaFaults(RunScriptParameters, { folder: text, script: text, network: [text], [text]: 1 }),
  },
  'contract/secret-paths comparablePath': { most: PATH, read: comparablePath },
  'contract/secret-paths secretAt': { most: PATH, read: secretAt },
  'contract/sensitive-apps isFileManager': { most: APP, read: isFileManager },
  'contract/sensitive-apps isHandrail': { most: APP, read: isHandrail },
  'contract/sensitive-apps sensitivity': { most: APP, read: sensitivity },
  'contract/session-proof readProof': { most: 16_384, read: readProof },
  'contract/lasting-places isOfPackages': { most: PATH, read: isOfPackages },
  'contract/lasting-places loadedCodeAt': { most: PATH, read: loadedCodeAt },
  'contract/lasting-places settingsEffectAt': { most: PATH, read: settingsEffectAt },
  'contract/sign-in-code readSignInCode': { most: 128, read: readSignInCode },
  'contract/schema-faults withoutUnknown': {
    most: BODY,
    read: (text) => withoutUnknown(RunScriptParameters, { [text]: text, env: { [text]: text } }, 20),
  },
  'contract/web-address webAddress': { most: MAX_ADDRESS, read: (text) => webAddress(`https://${text.slice(8)}`) },
  'domain/canonical-json canonicalJson': {
    most: BODY,
    read: (text) => canonicalJson({ b: text.toWellFormed(), a: [1] }),
  },
  'domain/canonical-json canonicalObject': { most: BODY, read: (text) => canonicalObject({ [text]: '1' }) },
  // The name of a control has at most 1,000 characters, and a typed text 10,000.
  'domain/critical-controls criticalLabel': { most: 1_000, read: criticalLabel },
  'domain/critical-controls isTrash': { most: APP, read: isTrash },
  'domain/catalogue/hands/open-url isPlainAddress': {
    most: MAX_ADDRESS,
    read: (text) => isPlainAddress(`https://example.org/${text.slice(20)}`),
  },
  'domain/secret-text secretInText': { most: 10_000, read: secretInText },
  'domain/critical-controls plainLabel': { most: SCRIPT, read: plainLabel },
  'domain/grant habitOf': { most: SCRIPT, read: habitOf },
  'domain/grant grantSentence': {
    most: SCRIPT,
    read: (text) => grantSentence('always', { userId: 'ann', does: habitOf(text), deviceName: text }),
  },
  'domain/profile judge': { most: PATH, read: judged },
  'domain/task-graph graphFaults': {
    most: 500,
    read: (text) =>
      graphFaults(
        IDS.map((id, index) => ({
          id,
          dependsOn: IDS.slice(0, index),
          parameters: Array.from({ length: 10 }, () => ({ $from: `step.${text}` })),
        })),
      ),
  },
  'domain/task-graph parseReference': { most: 500, read: (text) => parseReference(`step.1.${text}`, IDS) },
  'domain/task-graph referencesIn': { most: BODY, read: (text) => referencesIn({ [text]: { $from: text } }) },
  'domain/task-graph resolveReferences': {
    most: BODY,
    read: (text) => resolveReferences({ a: { $from: text } }, () => ({ value: text })),
  },
  'domain/task-graph valueAt': { most: 500, read: (text) => valueAt({ [text]: 1 }, text.split('.')) },
  'domain/catalogue/file-contents contentsAt': {
    most: MAX_LOOKED_BYTES,
    read: (text) =>
      contentsAt('/home/ann/deploy.sh', { text, isText: true, isWhole: true, sizeBytes: text.length }, 'file'),
  },
  'domain/catalogue/file-actions folderMoved': {
    most: MAX_LOOKED_CHARACTERS,
    read: (text) => {
      const names = text.match(/.{1,100}/gsu) ?? [];
      return folderMoved({
        from: '/home/ann/a',
        to: '/home/ann/b',
        inside: { names, isWhole: true },
        folders: FOLDERS,
      });
    },
  },
  'domain/catalogue/apps appNameFaults': { most: APP, read: (appName) => appNameFaults({ appName }) },
  'domain/catalogue/apps appTarget': { most: APP, read: appTarget },
  'domain/catalogue/screen displayFaults': { most: 32, read: (text) => displayFaults(text) },
  'domain/catalogue/screen displayTarget': { most: 32, read: (text) => displayTarget(text) },
  'domain/catalogue/file-target fileTarget': {
    most: PATH,
    read: (path) => [fileTarget([{ path, access: 'write' }], {}), fileTarget([{ path, access: 'write' }], seen(path))],
  },
  'domain/catalogue/file-target isWithin': { most: PATH, read: (text) => isWithin(text, `${text}/a`) },
  'domain/catalogue/file-target pathFault': { most: PATH, read: (text) => pathFault('/path', text) },
  'domain/catalogue/window-words textView': { most: BODY, read: textView },
  'domain/catalogue/window-words textWords': { most: BODY, read: textWords },
  'domain/catalogue/file-target hiddenRule': { most: PATH, read: (text) => hiddenRule(text, 'write', FOLDERS) },
  'domain/catalogue/file-target isHiddenPlace': { most: PATH, read: isHiddenPlace },
  'domain/task-graph openFaults': {
    most: BODY,
    read: (text) => openFaults(RunScriptParameters, { folder: { $from: text }, script: text, [text]: 1 }),
  },
  'domain/catalogue/window-words pathWords': { most: SCRIPT, read: pathWords },
  'domain/catalogue/window-words windowFacts': { most: SCRIPT, read: (text) => windowFacts(windowOf(text)) },
  'domain/catalogue/window-words windowSentence': { most: SCRIPT, read: (text) => windowSentence(windowOf(text)) },
  'domain/scripts/finding listed': { most: SCRIPT, read: (text) => listed(text.split(' ')) },
  'domain/scripts/finding shortened': { most: SCRIPT, read: shortened },
  'domain/scripts/places leavesFrom': { most: SCRIPT, read: leavesFrom },
  'domain/scripts/places personalRecordsAt': { most: SCRIPT, read: personalRecordsAt },
  'domain/scripts/places secretMeant': { most: SCRIPT, read: secretMeant },
  'domain/scripts/places secretNamed': { most: SCRIPT, read: secretNamed },
  'domain/scripts/notice-dangers scriptWritten': { most: PATH, read: (text) => scriptWritten(text, text) },
  'domain/scripts/code/calls effectOf': { most: SCRIPT, read: effectOf },
  'domain/scripts/code/tokens readTokens': {
    most: SCRIPT,
    read: (text) => (['hash', 'slashes', 'dashes'] as const).map((comments) => readTokens(text, { line: 1, comments })),
  },
  'domain/scripts/commands/development noteStatements': {
    most: SCRIPT,
    read: (text) => noteStatements({ note: () => undefined }, text),
  },
  'domain/scripts/commands/files isOnAnotherComputer': { most: SCRIPT, read: isOnAnotherComputer },
  'domain/scripts/commands/network hostOf': { most: SCRIPT, read: hostOf },
  'domain/scripts/shell/interpreters decoded': { most: SCRIPT, read: decoded },
  'domain/scripts/shell/interpreters unwrap': { most: SCRIPT, read: (text) => unwrap(text.split(' ')) },
  'domain/scripts/shell/words decodeEscapes': { most: SCRIPT, read: decodeEscapes },
  'domain/scripts/notice-dangers noticeDangers': script('sh'),
  'domain/scripts/notice-dangers noticeDangers: Python': script('python'),
  'domain/scripts/notice-dangers noticeDangers: JavaScript': script('node'),
  'domain/scripts/notice-dangers noticeDangers: AppleScript': script('applescript'),
  'domain/scripts/notice-dangers noticeDangers: the target of a redirection': within('echo > ', ''),
  'domain/scripts/notice-dangers noticeDangers: the argument of a program': within('cat ', ''),
  'domain/scripts/notice-dangers noticeDangers: a pattern': within('grep -e "', '"'),
  'domain/scripts/notice-dangers noticeDangers: a program of sed': within("sed -i -e '", "'"),
  'domain/scripts/notice-dangers noticeDangers: after a change to a deep folder': within(
    `cd ${'/a'.repeat(2_000)}\n`,
    '',
  ),
  'domain/scripts/notice-dangers noticeDangers: paths in a deep folder': {
    most: 50_000,
    read: (text) =>
      noticeDangers({
        interpreter: 'sh',
        script: `cd ${'/a'.repeat(2_000)}\n${`echo ${text.slice(0, 9)}. ${'a. '.repeat(58)};`.repeat(text.length / 190)}`,
      }),
  },
  'domain/scripts/notice-dangers noticeDangers: a here-document': within('cat <<E | sh\n', '\nE\n'),
  'domain/scripts/notice-dangers noticeDangers: text that is piped into a shell': within("echo '", "' | sh"),
  'domain/scripts/notice-dangers noticeDangers: a variable': within('A="', '"\neval $A; eval $A'),
  'domain/scripts/notice-dangers noticeDangers: a file that Python opens': within('open("', '", "w")', 'python'),
  'domain/scripts/notice-dangers noticeDangers: a name with a long value': {
    most: 50_000,
    read: (text) =>
      noticeDangers({
        interpreter: 'python',
        script: `a="${text.slice(0, 990)}"\n${'open(a,a,a,a,a,a)\n'.repeat(text.length / 18)}`,
      }),
  },
  'domain/scripts/notice-dangers noticeDangers: lines of AppleScript': {
    most: SCRIPT,
    read: (text) =>
      noticeDangers({ interpreter: 'applescript', script: (text.match(/[\s\S]{1,3999}/gu) ?? []).join('\n') }),
  },
  'catalogue WriteFile path': assessed('WriteFile', (path) => ({ path, content: '' }), PATH),
  'catalogue WriteFile content': assessed('WriteFile', (content) => ({ path: '/a.sh', content }), SCRIPT),
  'catalogue ReadFile path': assessed('ReadFile', (path) => ({ path }), PATH),
  'catalogue MoveFile to': assessed('MoveFile', (to) => ({ from: '/a', to }), PATH),
  'catalogue TrashFile path': assessed('TrashFile', (path) => ({ path }), PATH),
  'catalogue ListFiles path': assessed('ListFiles', (path) => ({ path }), PATH),
  'catalogue RunScript folder': assessed('RunScript', (folder) => ({ interpreter: 'sh', script: 'ls', folder }), PATH),
  'catalogue OpenApp appName': assessed('OpenApp', (appName) => ({ appName }), APP),
};
