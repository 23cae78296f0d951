import { fetchAt } from '../../client/call.ts';
import { createRequesterClient } from '../../client/requester-client.ts';
import type { Health } from '../../contract/health.ts';
import { type Command, CommandError, EXIT } from '../command.ts';
import { answered } from '../requester.ts';
import { baseOf, tell } from '../running.ts';
import type { Surroundings } from '../surroundings.ts';
import { styled } from '../terminal.ts';

/** The status as the daemon tells it to the command line; absent where it has no key there, as in an app. */
type Told = { paused: boolean; locked: boolean; waiting: number; running: number };

export const status: Command = {
  name: 'status',
  summary: 'show whether Handrail runs, is stopped, and has requests that wait',
  examples: ['handrail status', 'handrail status --json'],
  async run({ surroundings, isJson }) {
    const base = await baseOf(surroundings);
    const health = await answered(createRequesterClient({ fetch: fetchAt(base), userId: 'cli' }).health());
    const told = await toldBy(surroundings);
    const text = isJson
      ? JSON.stringify({ dashboard: `${base}/`, ...told, health })
      : linesOf({ base, health, told, surroundings }).join('\n');
    surroundings.output.write(`${text}\n`);
    return EXIT.done;
  },
};

async function toldBy(surroundings: Surroundings): Promise<Told | undefined> {
  try {
    return JSON.parse(await tell(surroundings, 'status'));
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

type Facts = { base: string; health: Health; told: Told | undefined; surroundings: Surroundings };

function linesOf({ base, health, told, surroundings }: Facts): string[] {
  const style = styled(surroundings.output, surroundings.environment);
  const { version, checks } = health;
  const state = checks.overall === 'ok' ? style('green', 'runs') : style('yellow', 'runs, with trouble');
  const stopped = told?.paused === true ? [`${style('red', 'stopped')}     by you; \`handrail resume\` ends it`] : [];
  const locked = told?.locked === true ? ['locked      the screen is locked, so nothing runs'] : [];
  return [
    `Handrail ${version} ${state}`,
    ...stopped,
    ...locked,
    `dashboard   ${base}/`,
    ...(told === undefined ? [] : [`requests    ${told.waiting} waiting, ${told.running} running`]),
    `agent       ${checks.agent}`,
    `store       ${checks.store}`,
    `scripts     ${checks.scripts}`,
  ];
}
