import type { Machine, MachineGiven } from '../contract/machine.ts';
import type { PersonVerbAnswer } from '../contract/person-verb.ts';
import type { PolicyDiff, PolicyQuestion } from '../contract/policy.ts';
import type { ProfileList } from '../contract/profile.ts';
import type { HttpLog } from '../http/app.ts';
import type { PersonVerbs } from '../http/routes/command-line.ts';
import type { Machines } from '../services/console/machines.ts';
import type { PersonDoor } from '../services/person-door.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';

type PersonSide = {
  createSignInCode(): string;
  person: Pick<PersonDoor, 'pause' | 'resume' | 'spendSignInCode' | 'view'>;
  policy: { list(): ProfileList; diff(question: PolicyQuestion): Promise<PolicyDiff> };
  machines: Machines;
};

const IN_A_TERMINAL = 'Handrail runs in a terminal. Press Enter there: it prints a fresh code.';
const CODE_NEEDED = 'Type the code that Handrail prints when you press Enter in its terminal.';
const WHICH_MACHINE = 'Name the machine, and where it is to be added, its address.';

/**
 * The commands of the person that a program with the same OS user can also send. So none of them allows an action, and the stop ends
 * and machines come and go only by proof that a sign-in takes: where the daemon has a terminal, by a code that was read there. Without a terminal, `login` hands
 * a code to the same caller, so to ask for one here would prove nothing.
 * The rules and what others did are told, and nothing of it is changed.
 */
export function personVerbs(
  { createSignInCode, person, policy, machines }: PersonSide,
  { hasTerminal, log }: { hasTerminal: boolean; log: HttpLog },
): PersonVerbs {
  /** Why the proof is missing, if it is. */
  function unproved(code: string, toDo: string): { declined: string } | undefined {
    // guard U4-2
    if (hasTerminal && !person.spendSignInCode(code)) {
      if (code !== '') log.warn({ toDo }, 'the command line sent a wrong code; nothing was changed');
      return { declined: code === '' ? CODE_NEEDED : `That code is wrong or spent. ${CODE_NEEDED}` };
    }
    return undefined;
  }

  return {
    async login() {
      if (hasTerminal) return { declined: IN_A_TERMINAL }; // guard U4-1
      log.info({}, 'the command line was given a fresh sign-in code');
      return { done: createSignInCode() };
    },
    async pause() {
      log.warn({}, 'the person stops everything from the command line');
      try {
        person.pause();
      } catch (error) {
        log.error({ err: error }, 'the stop holds, but could not be stored yet');
      }
      return { done: '' };
    },
    async resume({ words: code }) {
      const refused = unproved(code, 'resume');
      if (refused !== undefined) return refused;
      await person.resume();
      log.warn({}, 'the person resumed from the command line');
      return { done: '' };
    },
    async status() {
      const { status, permissions } = person.view();
      const { paused, locked, agent, waiting, running } = status;
      return { done: JSON.stringify({ paused, locked, agent, waiting, running, permissions, hasTerminal }) };
    },
    async policy() {
      return { done: JSON.stringify(policy.list()) };
    },
    async 'policy-diff'({ policy: question }) {
      if (question === undefined) return { declined: 'There are no profiles to compare with.' };
      return { done: JSON.stringify(await policy.diff(question)) };
    },
    async machines() {
      return { done: JSON.stringify(machines.list()) };
    },
    async 'machine-add'({ words: code, machine }) {
      if (!isWhole(machine)) return { declined: WHICH_MACHINE };
      const refused = unproved(code, 'add a machine');
      if (refused !== undefined) return refused;
      log.warn({ machine: machine.name }, 'the person adds a machine from the command line');
      return told(machines.add(machine));
    },
    async 'machine-test'({ machine }) {
      return machine === undefined ? { declined: WHICH_MACHINE } : told(await machines.tryNow(machine.name));
    },
    async 'machine-remove'({ words: code, machine }) {
      if (machine === undefined) return { declined: WHICH_MACHINE };
      const refused = unproved(code, 'remove a machine');
      if (refused !== undefined) return refused;
      log.warn({ machine: machine.name }, 'the person removes a machine from the command line');
      return told(machines.remove(machine.name));
    },
  };
}

function isWhole(machine: MachineGiven | undefined): machine is Machine {
  return machine?.address !== undefined;
}

function told(answer: object | Refusal): PersonVerbAnswer {
  return isRefusal(answer) ? { declined: answer.detail } : { done: JSON.stringify(answer) };
}
