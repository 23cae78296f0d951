import { type Guard, guard } from './guards.ts';

const MACHINES = 'test/services/machines.test.ts';
const SSH = 'test/agent-host/ssh-agent.test.ts';
const AGENT = 'test/cli/agent.test.ts';
const STDIO = 'test/agent-host/stdio-agent.test.ts';
const NOTES = 'src/own-daemon/account-note.ts';
const OWN_WORDS = 'A31: ssh’s own words for a changed key, written by the other machine %s, are no advice of ours';

/** The guards of the person's other machines. */
export const MACHINE_GUARDS: readonly Guard[] = [
  guard('N55', 'a dry run looks at no machine without leave', {
    file: 'src/services/actions/dry-run.ts',
    from: 'mayActOn(device.machine, checked.userId, parts.rules)',
    to: 'mayActOn(device.machine, checked.userId, { hasLeave: () => true })',
    failed: [
      MACHINES,
      'N55: a dry run looks at nothing there before the person let its requester in, and no device tells an address',
    ],
  }),
  guard('N55', 'a dry run of a task looks at no machine without leave', {
    file: 'src/services/tasks/acceptance.ts',
    from: 'userId, parts.rules));',
    to: 'userId, { hasLeave: () => true }));',
    failed: [
      MACHINES,
      'N55: a dry run of a task looks at nothing there either, before the person let its requester in',
    ],
  }),
  guard('N55', 'every daemon of an account must have allowed others', {
    file: NOTES,
    from: "if (doors.includes('closed')) return 'closed';",
    to: "if (doors.every((door) => door === 'closed')) return doors[0] ?? 'no daemon';",
    failed: [AGENT, 'N55: of several daemons of an account, each must have allowed others'],
  }),
  guard('N55', 'a daemon that does not answer has a person', {
    file: NOTES,
    from: "if (answer === 'silence') return 'closed';",
    to: "if (answer === 'silence') return 'no daemon';",
    failed: [AGENT, 'N55: a daemon whose person %s'],
  }),
  guard('N55', 'a daemon notes itself for its account', {
    file: 'src/daemon/daemon.ts',
    from: 'if (accountFolder === undefined) return undefined;',
    to: "if (accountFolder !== '') return undefined;",
    failed: [AGENT, 'N55: a daemon notes itself for its account while it runs, whatever its data directory is'],
  }),
  guard('N55', 'whether others are allowed is asked again while the agent runs', {
    file: 'src/agent-host/stdio-agent.ts',
    from: 'while (!pause.signal.aborted) {',
    to: 'while (pause.signal.reason === 0) {',
    failed: [STDIO, 'N55: an agent that runs without leave is ended, and the reason told'],
  }),
  guard('N55', 'an agent that nobody watches any longer ends', {
    file: 'agent/stdio-channel.ts',
    from: "watcher.once('disconnect', listening.gone);",
    to: '',
    failed: [STDIO, 'N55: an agent ends with the process that watches whether it may act'],
  }),
  guard('A31', 'an undo is forgotten with its machine', {
    file: 'src/services/console/machines.ts',
    from: 'store.undos.forgetOn(machine);',
    to: '',
    failed: [MACHINES, 'A31: on a machine only as long as it is the one that wrote it, and not another under its name'],
  }),
  guard('A31', 'a machine says nothing of the files of another', {
    file: 'src/store/records/undos.ts',
    from: 'devices.machine = :machine)`',
    to: 'devices.machine = :machine OR TRUE)`',
    failed: [MACHINES, 'A31: and the machine says nothing of a file of another'],
  }),
  guard('A31', 'a removed machine does not take the place of a new one', {
    file: 'src/daemon/machine-host.ts',
    from: 'if (reached.supervisor !== supervisor) return transport.terminate();',
    to: '',
    failed: [
      'test/daemon/machine-host.test.ts',
      'A31: a removed machine comes not in the place of another that was added under its name, and is gone at the end',
    ],
  }),
  guard('A31', 'what a machine does not read has an end', {
    file: 'src/contract/stream-transport.ts',
    from: 'if (this.#output.writableLength > this.#mostUnreadBytes)',
    to: 'if (this.#output.writableLength < 0 - this.#mostUnreadBytes)',
    failed: [
      'test/contract/stream-transport.test.ts',
      'A31: a peer that asks and asks and reads nothing is cut off, and costs no more than was said',
    ],
  }),
  guard('A31', 'only the log of ssh leads to advice', {
    file: 'src/agent-host/ssh-agent.ts',
    from: 'const sentences = withoutTheirs(ownWords);',
    to: 'const sentences = withoutTheirs([...ownWords, ...lines]);',
    failed: [SSH, OWN_WORDS],
  }),
  guard('A31', 'what a server says as it disconnects is no advice', {
    file: 'src/agent-host/ssh-agent.ts',
    from: 'return at < 0 ? ownWords : ownWords.slice(0, at);',
    to: 'return at < 0 ? ownWords : ownWords.slice();',
    failed: [SSH, OWN_WORDS],
  }),
  guard('A31', 'once something came, no advice for a first connection is given', {
    file: 'src/agent-host/ssh-agent.ts',
    from: 'hasSpoken ? BROKEN_LINES :',
    to: 'exitCode === null ? BROKEN_LINES :',
    failed: [SSH, OWN_WORDS],
  }),
];
