import { type Guard, guard } from './guards.ts';

const MACHINES = 'test/services/machines.test.ts';
const SSH = 'test/agent-host/ssh-agent.test.ts';
const AGENT = 'test/cli/agent.test.ts';
const STDIO = 'test/agent-host/stdio-agent.test.ts';
const OWN_WORDS = 'A31: ssh’s own words for a changed key, written by the other machine %s, are no advice of ours';

/** The guards of the person's other machines. */
export const MACHINE_GUARDS: readonly Guard[] = [
  guard('N55', 'a dry run looks at no machine without leave', {
    mark: 'N55-4',
    becomes: 'const references = mayActOn(device.machine, checked.userId, { hasLeave: () => true })',
    failed: [
      MACHINES,
      'N55: a dry run looks at nothing there before the person let its requester in, and no device tells an address',
    ],
  }),
  guard('N55', 'a dry run of a task looks at no machine without leave', {
    mark: 'N55-5',
    becomes:
      'const looked = all.filter(({ step }) => mayActOn(parts.agents.of(step.targetDeviceId).machine, userId, { hasLeave: () => true }));',
    failed: [
      MACHINES,
      'N55: a dry run of a task looks at nothing there either, before the person let its requester in',
    ],
  }),
  guard('N55', 'every daemon of an account must have allowed others', {
    mark: 'N55-6',
    becomes: "if (doors.every((door) => door === 'closed')) return doors[0] ?? 'no daemon';",
    failed: [AGENT, 'N55: of several daemons of an account, each must have allowed others'],
  }),
  guard('N55', 'a daemon that does not answer has a person', {
    mark: 'N55-7',
    becomes: "if (answer === 'silence') return 'no daemon';",
    failed: [AGENT, 'N55: a daemon whose person %s'],
  }),
  guard('N55', 'a daemon notes itself for its account', {
    mark: 'N55-8',
    becomes: "if (accountFolder !== '') return undefined;",
    failed: [AGENT, 'N55: a daemon notes itself for its account while it runs, whatever its data directory is'],
  }),
  guard('N55', 'whether others are allowed is asked again while the agent runs', {
    mark: 'N55-9',
    becomes: 'while (pause.signal.reason === 0) {',
    failed: [STDIO, 'N55: an agent that runs without leave is ended, and the reason told'],
  }),
  guard('N55', 'an agent that nobody watches any longer ends', {
    mark: 'N55-10',
    becomes: '',
    failed: [STDIO, 'N55: an agent ends with the process that watches whether it may act'],
  }),
  guard('A31', 'an undo is forgotten with its machine', {
    mark: 'A31-3',
    becomes: '',
    failed: [MACHINES, 'A31: on a machine only as long as it is the one that wrote it, and not another under its name'],
  }),
  guard('A31', 'a machine says nothing of the files of another', {
    mark: 'A31-4',
    becomes: '  WHERE actions.id = undos.action_id AND devices.machine = :machine OR TRUE)`;',
    failed: [MACHINES, 'A31: and the machine says nothing of a file of another'],
  }),
  guard('A31', 'a removed machine does not take the place of a new one', {
    mark: 'A31-5',
    becomes: '',
    failed: [
      'test/daemon/machine-host.test.ts',
      'A31: a removed machine comes not in the place of another that was added under its name, and is gone at the end',
    ],
  }),
  guard('A31', 'what a machine does not read has an end', {
    mark: 'A31-6',
    becomes: 'if (this.#output.writableLength < 0 - this.#mostUnreadBytes)',
    failed: [
      'test/contract/stream-transport.test.ts',
      'A31: a peer that asks and asks and reads nothing is cut off, and costs no more than was said',
    ],
  }),
  guard('A31', 'only the log of ssh leads to advice', {
    mark: 'A31-7',
    becomes: 'const sentences = withoutTheirs([...ownWords, ...lines]);',
    failed: [SSH, OWN_WORDS],
  }),
  guard('A31', 'what a server says as it disconnects is no advice', {
    mark: 'A31-8',
    becomes: 'return at < 0 ? ownWords : ownWords.slice();',
    failed: [SSH, OWN_WORDS],
  }),
  guard('A31', 'once something came, no advice for a first connection is given', {
    mark: 'A31-9',
    becomes: 'const failures = exitCode === null ? BROKEN_LINES : [...NO_CONNECTION, ...BROKEN_LINES];',
    failed: [SSH, OWN_WORDS],
  }),
];
