import type { OversightRecord } from './data.ts';

/** Verbs that name the harm of a family. They are judged apart from the rules that write the sentences. */
const VERBS: Readonly<Record<string, RegExp>> = {
  destructive: /delet|trash|eras|overwrit|empt|discard|lock|encrypt|remov|cuts/iu,
  write: /chang|overwrit|adds|writ|replac|creat|mov|cop|delet|empt/iu,
  credential: /read|password|key|account|search|decrypt|secret/iu,
  exfiltration: /send|read|connect|cop/iu,
  persistence: /start|runs each|log in|set times|login/iu,
  install: /install|download/iu,
  permission: /password|account|permission|owner|administrator|protection|firewall/iu,
  disruption: /stop|ends|again and again|copies of itself|shut|switch|delet|uses up|fills/iu,
  evasion: /hid|history|delet|empt|encoded|log|time of change|chang|overwrit|stops|switches off|protection|firewall/iu,
  recon: /read|list|search|scan|contact/iu,
};

/** Whether a prompt's sentence names the harm of a record: its verb, and one of the things that it is done to. */
export function namesDanger({ family, actionType, parameters }: OversightRecord, sentence: string): boolean {
  const told = actionType === 'RunScript' ? sentence.split('Handrail noticed:').slice(1).join('') : sentence;
  const objects = actionType === 'RunScript' ? objectsIn(String(parameters.script)) : pathsIn(parameters);
  const isNamed = objects.length === 0 || objects.some((object) => told.includes(object));
  return told !== '' && (VERBS[family] ?? /\w/u).test(told) && isNamed;
}

/** The words after the name of a script's first program, without options: paths by their last part. */
function objectsIn(script: string): string[] {
  const [, ...words] = script.split(/[\s'"‘’`=;|&<>(){}$]+/u).filter((word) => word !== '');
  return words.filter((word) => !word.startsWith('-') && /[a-z]{2}/iu.test(word)).map(lastPart);
}

function pathsIn({ path, from, to }: OversightRecord['parameters']): string[] {
  return [path, from, to].filter((each) => typeof each === 'string').map(lastPart);
}

function lastPart(path: string): string {
  return path.replace(/\/+$/u, '').split('/').at(-1) ?? path;
}
