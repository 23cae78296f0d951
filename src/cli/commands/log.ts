import { StreamRefused } from '../../client/event-stream.ts';
import type { Action } from '../../contract/action.ts';
import type { StreamEvent } from '../../contract/event.ts';
import { type Command, CommandError, EXIT, textOf } from '../command.ts';
import { answered, machineNames, requesterOf } from '../requester.ts';
import { printableLine, styled } from '../terminal.ts';

const MOST = 100;

export const log: Command = {
  name: 'log',
  summary: 'list past actions of your user id, the latest first',
  options: [
    { flags: '-n, --number <count>', description: 'how many, 1 to 100; 20 without this' },
    { flags: '--status <status>', description: 'only those with this status, such as denied' },
  ],
  isRequester: true,
  examples: ['handrail log', 'handrail log -n 100 --status failed --json'],
  async run(invocation) {
    const { surroundings, isJson } = invocation;
    const count = Number(textOf(invocation, 'number') ?? 20);
    if (!Number.isInteger(count) || count < 1 || count > MOST)
      throw new CommandError(`--number should be 1 to ${MOST}.`, EXIT.usage);
    const status = textOf(invocation, 'status');
    const query = new URLSearchParams({ limit: String(count), ...(status === undefined ? {} : { status }) });
    const requester = await requesterOf(invocation);
    const { client, userId } = requester;
    const { items } = await answered(client.actions(query.toString()));
    const style = styled(surroundings.output, surroundings.environment);
    const nameOf = await machineNames(requester);
    const lines = items.map((action) => lineOf(action, nameOf(action.targetDeviceId), style));
    const text = isJson ? JSON.stringify(items) : lines.join('\n') || `There are no actions of ${userId} yet.`;
    surroundings.output.write(`${text}\n`);
    return EXIT.done;
  },
};

function lineOf(
  { createdAt, actionType, status, details, actionId }: Action,
  machine: string,
  style: ReturnType<typeof styled>,
): string {
  const time = new Date(createdAt).toLocaleString('sv-SE');
  const coloured = status === 'success' ? style('green', status) : status;
  return `${style('dim', time)}  ${machine}${actionType}  ${coloured}  ${printableLine(details)}  ${style('dim', actionId)}`;
}

export const watch: Command = {
  name: 'watch',
  summary: 'show events of your user id as they happen, until Ctrl-C',
  options: [{ flags: '--after <id>', description: 'begin behind the event with this id' }],
  isRequester: true,
  examples: ['handrail watch --as my-agent', 'handrail watch --json | jq .kind'],
  async run(invocation) {
    const { surroundings, isJson, options } = invocation;
    const { output, environment, stopped, errors } = surroundings;
    const requester = await requesterOf(invocation);
    const { client, base, userId } = requester;
    let nameOf = await machineNames(requester);
    const style = styled(output, environment);
    if (errors.isTTY === true) errors.write(`Watching events of ${userId} at ${base}/. Ctrl-C ends this.\n`);
    const after = typeof options.after === 'string' ? { after: options.after } : {};
    try {
      for await (const event of client.followEvents({ signal: stopped, ...after })) {
        if (isJson) output.write(`${JSON.stringify(event)}\n`);
        else if (event.kind === 'reset') output.write(`${style('yellow', 'events are missing: the stream broke')}\n`);
        else if ('at' in event) {
          if (event.kind === 'device.registered') nameOf = await machineNames(requester);
          output.write(`${eventLine(event, style, nameOf(event.deviceId))}\n`);
        }
      }
    } catch (error) {
      if (error instanceof StreamRefused) throw new CommandError(error.message);
      throw error;
    }
    return EXIT.done;
  },
};

/** One event in one line: its time of day, kind, subjects and facts. */
function eventLine(event: StreamEvent, style: ReturnType<typeof styled>, machine = ''): string {
  const { at, kind, actionId, metadata } = event;
  const facts = Object.entries(metadata)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name}=${printableLine(String(value))}`);
  const time = new Date(at).toLocaleTimeString('en-GB');
  return [style('dim', time), `${machine}${style('bold', kind.padEnd(22))}`, actionId ?? '', ...facts]
    .filter(Boolean)
    .join('  ');
}
