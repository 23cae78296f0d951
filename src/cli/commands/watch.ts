import { StreamRefused } from '../../client/event-stream.ts';
import type { StreamEvent } from '../../contract/event.ts';
import { type Command, CommandError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { machineNames } from '../machine-names.ts';
import { requesterOf } from '../requester.ts';
import { printableLine, styled } from '../terminal.ts';

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
export function eventLine(event: StreamEvent, style: ReturnType<typeof styled>, machine = ''): string {
  const { at, kind, actionId, metadata } = event;
  const facts = Object.entries(metadata)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name}=${printableLine(String(value))}`);
  const time = new Date(at).toLocaleTimeString('en-GB');
  return [style('dim', time), `${machine}${style('bold', kind.padEnd(22))}`, actionId ?? '', ...facts]
    .filter(Boolean)
    .join('  ');
}
