import type { Action, ActionSubmission } from '../contract/action.ts';
import { CommandError, EXIT, type ExitCode, exitCodeOf, type Invocation } from './command.ts';
import { answered, ownDevice, type Requester, requesterOf } from './requester.ts';
import { minutes, printable, statusLine, styled } from './terminal.ts';

/** How long the daemon holds one answer. */
const HOLD_S = 25;
const TICK_MS = 1_000;
const UNDER_WAY: readonly string[] = ['awaiting_confirmation', 'queued', 'running'];

type Wanted = Pick<ActionSubmission, 'actionType' | 'parameters'>;
type Print = (action: Action, requester: Requester) => Promise<string> | string;

/** Submits an action on this computer, waits for its end, and prints it: the whole record with `--json`, else what `print` makes. */
export async function runAction(
  invocation: Invocation,
  wanted: Wanted | ((requester: Requester) => Promise<Wanted>),
  print: Print,
): Promise<ExitCode> {
  const requester = await requesterOf(invocation);
  const { actionType, parameters } = typeof wanted === 'function' ? await wanted(requester) : wanted;
  const { surroundings, isJson, options } = invocation;
  const targetDeviceId = await ownDevice(requester, surroundings.platform);
  const reason = typeof options.reason === 'string' ? { reason: options.reason } : {};
  const submission = { targetDeviceId, actionType, parameters, ...reason };
  // Ctrl-C does not end this call: withdrawing the action needs its id.
  const first = await answered(requester.client.act(submission, { waitS: 0 }));
  const action = await untilEnded(invocation, requester, first);
  const code = exitCodeOf(action.status);
  if (code === EXIT.done) {
    const text = await print(action, requester);
    if (isJson) surroundings.output.write(`${JSON.stringify(action)}\n`);
    else if (text !== '') surroundings.output.write(`${printable(text)}\n`);
  } else {
    if (isJson) surroundings.output.write(`${JSON.stringify(action)}\n`);
    surroundings.errors.write(`handrail: ${printable(endOf(action))}\n`);
  }
  return code;
}

/** Shows what is waited for. Ctrl-C withdraws the action. */
async function untilEnded({ surroundings }: Invocation, { client, base }: Requester, first: Action): Promise<Action> {
  const { stopped, errors, environment, nowMs } = surroundings;
  const line = statusLine(errors);
  const style = styled(errors, environment);
  let action = first;
  const show = () => line.show(waitingWords(action, { base, nowMs: nowMs(), style }));
  if (action.status === 'awaiting_confirmation' && errors.isTTY !== true)
    errors.write(
      `handrail: waits for your answer at ${base}/ until ${action.confirmation?.expiresAt ?? 'it expires'}\n`,
    );
  const ticking = setInterval(show, TICK_MS);
  show();
  try {
    while (UNDER_WAY.includes(action.status)) {
      if (stopped.aborted) return await withdraw(client, action);
      const answer = await client.action(action.actionId, { waitS: HOLD_S, signal: stopped });
      if (stopped.aborted) continue;
      if (!answer.ok) throw new CommandError(`${answer.failure.detail} The action is ${action.actionId}.`);
      action = answer.value;
    }
    return action;
  } finally {
    clearInterval(ticking);
    line.clear();
  }
}

async function withdraw(client: Requester['client'], action: Action): Promise<Action> {
  const answer = await client.cancelAction(action.actionId);
  return answer.ok ? answer.value : action;
}

type Words = { base: string; nowMs: number; style: ReturnType<typeof styled> };

export function waitingWords({ status, confirmation }: Action, { base, nowMs, style }: Words): string {
  if (status !== 'awaiting_confirmation')
    return style('dim', status === 'queued' ? 'Waiting for its turn …' : 'Running …');
  const leftMs = confirmation === undefined ? 0 : Date.parse(confirmation.expiresAt) - nowMs;
  return `Waiting for your answer at ${base}/  ${minutes(leftMs)} left`;
}

function endOf({ status, details, error, data }: Action): string {
  const fix = error?.fix === undefined ? '' : ` ${error.fix}`;
  const { stdoutTail = '', stderrTail = '' } = Object(error?.code === 'script_failed' ? data : undefined);
  return [`${status}: ${details || error?.message || status}${fix}`, stdoutTail, stderrTail].filter(Boolean).join('\n');
}
