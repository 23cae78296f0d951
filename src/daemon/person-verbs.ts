import type { PolicyDiff, PolicyQuestion } from '../contract/policy.ts';
import type { ProfileList } from '../contract/profile.ts';
import type { HttpLog } from '../http/app.ts';
import type { PersonVerbs } from '../http/routes/command-line.ts';
import type { PersonDoor } from '../services/person-door.ts';

type PersonSide = {
  createSignInCode(): string;
  person: Pick<PersonDoor, 'pause' | 'resume' | 'spendSignInCode' | 'view'>;
  policy: { list(): ProfileList; diff(question: PolicyQuestion): Promise<PolicyDiff> };
};

const IN_A_TERMINAL = 'Handrail runs in a terminal. Press Enter there: it prints a fresh code.';
const CODE_NEEDED = 'To resume, type the code that Handrail prints when you press Enter in its terminal.';

/**
 * The commands of the person that a program with the same OS user can also send. So none of them allows an action, and the stop ends
 * only by proof that a sign-in takes: where the daemon has a terminal, by a code that was read there. Without a terminal, `login` hands
 * a code to the same caller, so to ask for one here would prove nothing.
 * The rules and what others did are told, and nothing of it is changed.
 */
export function personVerbs(
  { createSignInCode, person, policy }: PersonSide,
  { hasTerminal, log }: { hasTerminal: boolean; log: HttpLog },
): PersonVerbs {
  return {
    async login() {
      if (hasTerminal) return { declined: IN_A_TERMINAL };
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
    async resume(code) {
      if (hasTerminal && !person.spendSignInCode(code)) {
        if (code !== '') log.warn({}, 'the command line sent a wrong code to resume; everything stays stopped');
        return { declined: code === '' ? CODE_NEEDED : `That code is wrong or spent. ${CODE_NEEDED}` };
      }
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
    async 'policy-diff'(_words, question) {
      if (question === undefined) return { declined: 'There are no profiles to compare with.' };
      return { done: JSON.stringify(await policy.diff(question)) };
    },
  };
}
