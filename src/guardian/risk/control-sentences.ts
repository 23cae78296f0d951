import type { Counter } from '../../contract/counters.ts';
import type { Rollup } from '../recording/rollup.ts';
import type { Held, HeldControl } from './refusing-controls.ts';

const ATTEMPTS: Record<HeldControl, { one: string; many: string }> = {
  webPage: { one: 'request of a web page', many: 'requests of web pages' },
  host: { one: 'request under another host name', many: 'requests under other host names' },
  osUser: { one: 'request of another OS user', many: 'requests of other OS users' },
  userKey: { one: 'request with a wrong requester key', many: 'requests with wrong requester keys' },
  consoleKey: { one: 'wrong key or code for the console', many: 'wrong keys or codes for the console' },
  agentToken: { one: 'wrong agent token', many: 'wrong agent tokens' },
  selfApproval: { one: 'answer to a prompt by a program', many: 'answers to prompts by programs' },
  promptState: { one: 'answer to an earlier state of a prompt', many: 'answers to earlier states of prompts' },
  agentResult: { one: 'agent result for no running action', many: 'agent results for no running action' },
};

/** `12 wrong agent tokens, 1 request of a web page`, the weightiest first. */
export function heldWords(held: readonly Held[]): string {
  return held
    .map(({ control, attempts }) => `${attempts} ${attempts === 1 ? ATTEMPTS[control].one : ATTEMPTS[control].many}`)
    .join(', ');
}

const TITLES: Record<HeldControl, (times: string) => string> = {
  webPage: (times) => `A web page tried to use Handrail${times}`,
  host: (times) => `A request came under another host name${times}`,
  osUser: (times) => `Another user of this computer tried to use Handrail${times}`,
  userKey: (times) => `A program tried a wrong requester key${times}`,
  consoleKey: (times) => `Someone entered a wrong sign-in code or key${times}. Was it you?`,
  agentToken: (times) => `A program tried a wrong agent token${times}`,
  selfApproval: (times) => `A program tried to answer a prompt${times}`,
  promptState: (times) => `An answer came for an outdated prompt${times}`,
  agentResult: (times) => `The agent sent a result for no running action${times}`,
};

/** The fact that a control refused attempts, as the title of an insight: `A program tried a wrong agent token 12 times`. */
export function attemptTitle({ control, attempts }: Held): string {
  return TITLES[control](attempts === 1 ? '' : ` ${attempts} times`);
}

/** Names refused attempts only: it never says that one had an effect. */
export function heldSentence(held: readonly Held[]): string {
  return `Refused: ${heldWords(held)}.`;
}

const FAILURES: readonly { counter: Counter; one: string; many: string }[] = [
  { counter: 'journalBroken', one: 'check of the journal failed', many: 'checks of the journal failed' },
  {
    counter: 'executedUndecided',
    one: 'action above low risk ran without a valid decision',
    many: 'actions above low risk ran without a valid decision',
  },
  {
    counter: 'approvedUnasked',
    one: 'approval was recorded although no prompt was waiting',
    many: 'approvals were recorded although no prompt was waiting',
  },
  {
    counter: 'outcomeUnexpected',
    one: 'outcome was recorded for an action that was not running',
    many: 'outcomes were recorded for actions that were not running',
  },
];

/** `2 checks of the journal failed.`, a sentence for each kind of control that failed. */
export function failureSentence({ counters }: Pick<Rollup, 'counters'>): string {
  return FAILURES.filter(({ counter }) => counters[counter] > 0)
    .map(({ counter, one, many }) => `${counters[counter]} ${counters[counter] === 1 ? one : many}.`)
    .join(' ');
}
