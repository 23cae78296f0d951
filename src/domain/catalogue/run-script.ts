import { holdsSettings } from '../../contract/lasting-places.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { networkHost } from '../../contract/network-hosts.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import { type Interpreter, RunScriptParameters, ScriptResult, type ScriptView } from '../../contract/scripts.ts';
import { canonicalJson } from '../canonical-json.ts';
import { assessRisk, isAtLeast, type RiskRule } from '../risk.ts';
import { dangersNoticed, LANGUAGES, type Noticed } from '../scripts/notice-dangers.ts';
import { noticedInSandbox, noticedInSentence, noticedInView, rulesOfConfined } from '../scripts/noticed-words.ts';
import { type Assessment, defineAction, type Seen } from './definition.ts';
import { done } from './done.ts';
import { fileTarget, type PathNames, pathFault, pathReference, sentenceOn, shownPath } from './file-target.ts';
import { pathWords } from './window-words.ts';

export const runScript = defineAction({
  name: 'RunScript',
  summary: 'Runs a script in a sandbox: only with the files of its folder and the hosts that it names',
  capability: 'canRunScripts',
  effectClass: 'once',
  baseRisk: 'medium',
  isUsual: true,
  untold: ['env', 'okExitCodes'],
  // Linux and macOS call the program so.
  read: (parameters) => (parameters.interpreter === 'python3' ? { ...parameters, interpreter: 'python' } : parameters),
  reachesOut: true,
  isIrreversible: true,
  countedAs: 'script',
  parameters: RunScriptParameters,
  targets: (parameters) => foldersOf(parameters).map((path) => pathReference(path)),
  faults({ folder, writes = [], network = [] }): SchemaFault[] {
    const first = folder === undefined ? [] : pathFault('/folder', folder);
    const others = writes.flatMap((path, index) => pathFault(`/writes/${index}`, path));
    return [...first, ...others, ...network.flatMap((text, index) => hostFault(`/network/${index}`, text))];
  },
  shortfall({ okExitCodes = [0] }, data) {
    if (!isScriptResult(data) || okExitCodes.includes(data.exitCode)) return undefined;
    const fix = 'Read the end of its output in the result. Name other codes in okExitCodes if they mean success.';
    return {
      code: 'script_failed',
      message: `The script ended with code ${data.exitCode} instead of ${okExitCodes.join(' or ')}.`,
      fix,
    };
  },
  assess(parameters, seen) {
    const { rules, facts } = placesOf(parameters, seen);
    const folder = parameters.folder && shownPath(parameters.folder, seen);
    const all = dangersNoticed(parameters);
    const noticed = isUnconfined(parameters.interpreter) ? all : noticedInSandbox(all, folder);
    const found = rulesOfConfined(noticed, folder);
    const risk = assessRisk(CONFINED, [...rules, ...rulesFor(parameters, seen), ...found]);
    return {
      ...facts,
      capability: 'canRunScripts',
      risk,
      ...sentenceOn((names) => `${sentenceOf(parameters, seen, names)}${noticedInSentence(noticed)}`),
      ...done(folder ?? 'A folder that goes away', 'ran', LANGUAGES[parameters.interpreter]),
      changes: reachOf(parameters, seen),
      script: viewOf(parameters, { seen, noticed }),
      ...(isAtLeast(risk.level, 'high') ? { onceOnly: true } : { covers: coveredBy(parameters, seen) }),
    };
  },
});

const isScriptResult = lazyCheck(ScriptResult);

const CONFINED: RiskRule = {
  level: 'medium',
  reason: 'It runs a program that the requester wrote, which changes only its own folder and reaches no network.',
};

/** A grant for a confined script covers every confined script of its interpreter in its folder. */
function coveredBy({ interpreter, folder }: RunScriptParameters, seen: Seen): NonNullable<Assessment['covers']> {
  const place = folder === undefined ? null : shownPath(folder, seen);
  const scripts = `${LANGUAGES[interpreter]} scripts in ${place ?? 'an empty folder that goes away'}`;
  return {
    key: canonicalJson({ interpreter, folder: place }), // guard X17-2
    words: `${scripts}, whatever their text, without network and without writes elsewhere. Handrail still asks where it notices a grave danger`,
  };
}

const MEANT_HOST = 'expected the name of a host, such as example.org or example.org:8443; no address, no wildcard';

function hostFault(pointer: string, text: string): SchemaFault[] {
  return networkHost(text) === undefined ? [{ pointer, message: MEANT_HOST }] : [];
}

/** A script without a folder has no target of its own, so all of them count as the same one. */
const NO_PLACE = { target: null, denialTarget: 'a script without a folder', apps: [], paths: [] };

function placesOf(parameters: RunScriptParameters, seen: Seen) {
  const [first, ...rest] = foldersOf(parameters).map((path) => ({ path, access: 'write', use: 'runs' }) as const);
  return first === undefined ? { rules: [], facts: NO_PLACE } : fileTarget([first, ...rest], seen);
}

function foldersOf({ folder, writes = [] }: Pick<RunScriptParameters, 'folder' | 'writes'>): string[] {
  return [...(folder === undefined ? [] : [folder]), ...writes];
}

function rulesFor({ interpreter, folder, network = [], writes = [] }: RunScriptParameters, seen: Seen): RiskRule[] {
  const others = writes.map((path) => shownPath(path, seen));
  const places = folder === undefined ? others : [shownPath(folder, seen), ...others];
  const settings = places.filter(holdsSettings);
  const rules: RiskRule[] = settings.map((place) => critical(`${pathWords(place)} holds settings that programs obey.`));
  if (isUnconfined(interpreter))
    rules.push(critical(`${LANGUAGES[interpreter]} cannot be sandboxed: it controls other apps.`));
  if (network.length > 0) rules.push(critical(`It sends data to ${network.join(', ')}, or gets programs from there.`));
  if (writes.length > 0)
    rules.push({ level: 'high', reason: `It also writes outside of its folder: ${others.map(pathWords).join(', ')}.` });
  return rules;
}

function critical(reason: string): RiskRule {
  return { level: 'critical', reason };
}

function isUnconfined(interpreter: Interpreter): boolean {
  return interpreter === 'applescript' || interpreter === 'javascript';
}

function sentenceOf(
  { interpreter, script, folder, network = [], writes = [] }: RunScriptParameters,
  seen: Seen,
  { path: named, place }: PathNames,
): string {
  const lines = script.trimEnd().split('\n').length;
  const where = folder === undefined ? ' in an empty folder' : place(shownPath(folder, seen));
  const bounds = isUnconfined(interpreter) ? ', outside of every sandbox, because it cannot be sandboxed' : '';
  const hosts = network.length === 0 ? '' : `, with access to ${network.join(', ')}`;
  const others =
    writes.length === 0 ? '' : `, writing ${writes.map((path) => named(shownPath(path, seen))).join(', ')}`;
  const size = `${lines} ${lines === 1 ? 'line' : 'lines'}`;
  return `Run a ${LANGUAGES[interpreter]} script of ${size}${where}${others}${hosts}${bounds}`;
}

/** The script, and the places and hosts that it may read, write and reach. An empty list means none. */
function viewOf(
  { interpreter, script, folder, network = [], writes = [], env = {} }: RunScriptParameters,
  { seen, noticed }: { seen: Seen; noticed: Noticed },
): ScriptView {
  const language = LANGUAGES[interpreter];
  const dangers = noticedInView(noticed);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const environment = variables.length === 0 ? {} : { environment: variables };
  if (isUnconfined(interpreter)) {
    const all = ['everything that you can'];
    return { language, text: script, ...environment, reads: all, writes: all, network: all, ...dangers };
  }
  const places = [...(folder === undefined ? [] : [folder]), ...writes].map((path) => shownPath(path, seen));
  return {
    language,
    text: script,
    ...environment,
    reads: ['programs of the system', ...places],
    writes: places,
    network: [...network],
    ...dangers,
  };
}

/** The same as a sentence. */
function reachOf({ interpreter, folder, network = [], writes = [] }: RunScriptParameters, seen: Seen): string {
  if (isUnconfined(interpreter)) return 'It can do all that you can do, in every app. Nothing of it can be undone.';
  const places = [...(folder === undefined ? [] : [folder]), ...writes].map((path) => shownPath(path, seen));
  const own = places.length === 0 ? 'no file of yours' : `${places.join(', ')}, without the secrets in it`;
  const reached = network.length === 0 ? 'nothing' : network.join(', ');
  return `Reads: programs of the system, and ${own}. Writes: ${places.join(', ') || 'nothing that stays'}. Reaches over the network: ${reached}. Its changes cannot be undone.`;
}
