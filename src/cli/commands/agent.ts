import { userInfo } from 'node:os';
import { MACHINE_HAS_A_PERSON } from '../../contract/machine.ts';
import { doorOf } from '../../own-daemon/account-note.ts';
import { accountFolderOf } from '../../own-daemon/settings.ts';
import { type Command, CommandError, EXIT, textOf } from '../command.ts';
import type { Surroundings } from '../surroundings.ts';

const EXAMPLE = 'handrail agent --stdio';

export const agent: Command = {
  name: 'agent',
  summary: 'act on this desktop for the Handrail of another computer, which runs this by ssh',
  options: [
    { flags: '--stdio', description: 'talk with that Handrail on standard input and output' },
    { flags: '--display <name>', description: 'the X display, such as :1, where this account has several' },
  ],
  examples: [EXAMPLE, `${EXAMPLE} --display :1`],
  notes: [
    `It ends with exit code ${MACHINE_HAS_A_PERSON.exitCode} where a Handrail of this account runs whose person has not allowed others.`,
  ],
  async run(invocation) {
    const { options, surroundings } = invocation;
    if (options.stdio !== true)
      throw new CommandError(`The agent talks on standard input and output only: \`${EXAMPLE}\`.`, EXIT.usage);
    await expectNoPerson(surroundings);
    // Loaded only here, so that the other commands start fast.
    const { runStdioAgent } = await import('../../agent-host/stdio-agent.ts');
    const log = logTo(surroundings);
    return await runStdioAgent({
      environment: await environmentOf(surroundings, textOf(invocation, 'display')),
      platform: surroundings.platform,
      log: { info: log, warn: log, error: log },
      stopped: surroundings.stopped,
      expectLeave: () => expectNoPerson(surroundings),
    });
  },
};

async function expectNoPerson({ home }: Surroundings): Promise<void> {
  if ((await doorOf(accountFolderOf(home))) !== 'closed') return;
  const { code, exitCode } = MACHINE_HAS_A_PERSON;
  const remedy = 'That person can let other computers act here, at the dashboard of that Handrail, or stop it.';
  throw new CommandError(`${code}: a Handrail of this account runs here, and its person rules. ${remedy}`, exitCode);
}

async function environmentOf(surroundings: Surroundings, wanted: string | undefined): Promise<NodeJS.ProcessEnv> {
  const { displaysOf, withDesktop } = await import('../../agent-host/stdio-agent.ts');
  const { environment, platform, home } = surroundings;
  const { uid } = userInfo();
  const isGiven = wanted !== undefined || Boolean(environment.DISPLAY) || platform !== 'linux';
  const displays = isGiven ? [] : displaysOf({ uid });
  if (displays.length > 1)
    throw new CommandError(
      `This account has the displays ${displays.join(', ')}. Name one: \`${EXAMPLE} --display ${displays[0]}\`.`,
    );
  return withDesktop({ environment, platform, home, uid }, wanted ?? displays[0]);
}

function logTo({ errors }: Surroundings): (facts: object, message: string) => void {
  return (_facts, message) => void errors.write(`${message}\n`);
}
