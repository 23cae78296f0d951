import type { MachineGiven } from '../../contract/machine.ts';
import { MACHINE_RULES, type MachinePart, machineFault } from '../../contract/machine-rules.ts';
import type { MachineList, MachineView } from '../../contract/machine-view.ts';
import { type Command, CommandError, EXIT, type Invocation, textOf } from '../command.ts';
import { tell, tellWithCode } from '../running.ts';
import { printableLine, styled } from '../terminal.ts';

/** `ssh` may take half a minute to say that nothing answers. */
const TEST_WITHIN_MS = 40_000;

const NAME = { form: '<name>', description: 'of the machine, such as studio' };
const COLOURS = { online: 'green', starting: 'yellow', unreachable: 'red', offline: 'red' } as const;

const add: Command = {
  name: 'machine add',
  summary: 'add a machine of yours, reached by ssh; it takes a code where Handrail runs in a terminal',
  argument: NAME,
  rest: { form: '<address>', description: MACHINE_RULES.address.description },
  options: [
    { flags: '--command <path>', description: `${MACHINE_RULES.agentCommand.description}; without this \`handrail\`` },
    { flags: '--display <name>', description: MACHINE_RULES.display.description },
  ],
  examples: ['handrail machine add studio ann@studio.local', 'handrail machine add box box --display :1'],
  notes: ['Handrail is to be installed there, and `ssh` to get in with a key and without a question.'],
  async run(invocation) {
    const given = givenBy(invocation);
    const answer = await tellWithCode(invocation.surroundings, 'machine-add', { machine: given });
    const words = `${given.name} is added. Whether it can be reached: handrail machine test ${given.name}`;
    return written(invocation, answer, () => [words]);
  },
};

const list: Command = {
  name: 'machine list',
  summary: 'list your other machines and how they are reached',
  examples: ['handrail machine list', 'handrail machine list --json'],
  async run(invocation) {
    const answer = await tell(invocation.surroundings, 'machines');
    return written(invocation, answer, () => {
      const { items }: MachineList = JSON.parse(answer);
      const lines = items.flatMap((machine) => linesOf(machine, invocation));
      return lines.length > 0 ? lines : ['There is only this computer. Add one: handrail machine add NAME user@host'];
    });
  },
};

const test: Command = {
  name: 'machine test',
  summary: 'try to reach a machine now; exit code 5 when it cannot be reached',
  argument: NAME,
  examples: ['handrail machine test studio'],
  async run(invocation) {
    const machine = { name: expected('name', invocation.words[0], 'The name') };
    const answer = await tell(invocation.surroundings, 'machine-test', { machine, withinMs: TEST_WITHIN_MS });
    const tested: MachineView = JSON.parse(answer);
    written(invocation, answer, () => linesOf(tested, invocation));
    return tested.status === 'online' ? EXIT.done : EXIT.failed;
  },
};

const remove: Command = {
  name: 'machine remove',
  summary: 'remove a machine with its devices and grants; its running work is cancelled',
  argument: NAME,
  examples: ['handrail machine remove studio'],
  async run(invocation) {
    const machine = { name: expected('name', invocation.words[0], 'The name') };
    const answer = await tellWithCode(invocation.surroundings, 'machine-remove', { machine });
    return written(invocation, answer, () => [`${machine.name} is removed, with its devices and grants.`]);
  },
};

export const MACHINE_COMMANDS: readonly Command[] = [add, list, test, remove];

function written({ surroundings, isJson }: Invocation, answer: string, lines: () => readonly string[]): number {
  surroundings.output.write(`${isJson ? answer : lines().join('\n')}\n`);
  return EXIT.done;
}

/** What the daemon would refuse as well is said before a code is asked for. */
function givenBy(invocation: Invocation): MachineGiven {
  const [name, address] = invocation.words;
  const command = textOf(invocation, 'command');
  const display = textOf(invocation, 'display');
  return {
    name: expected('name', name, 'The name'),
    address: expected('address', address, 'The address'),
    ...(command !== undefined && { agentCommand: expected('agentCommand', command, '--command') }),
    ...(display !== undefined && { display: expected('display', display, '--display') }),
  };
}

function expected(part: MachinePart, text: string | undefined, what: string): string {
  const fault = machineFault(part, text ?? '');
  if (text !== undefined && fault === undefined) return text;
  throw new CommandError(`${what} should be ${fault}.`, EXIT.usage);
}

function linesOf(machine: MachineView, { surroundings }: Invocation): string[] {
  const { name, address, status, reason, platform, hostname, version, roundTripMs, running } = machine;
  const style = styled(surroundings.output, surroundings.environment);
  const facts = [
    ...(platform === undefined ? [] : [`${platform} on ${hostname}, version ${version}`]),
    ...(roundTripMs === undefined ? [] : [`${roundTripMs.toFixed(1)} ms there and back`]),
    ...(running === 0 ? [] : [`${running} running`]),
  ].map(printableLine);
  const line = [style('bold', name), address, style(COLOURS[status], status), ...facts].join('  ');
  return reason === undefined ? [line] : [line, `  → ${printableLine(reason)}`];
}
