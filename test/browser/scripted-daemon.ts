import type { Confirmation, Grant, Prompt } from '../../src/contract/console.ts';
import type { ConsoleStatus } from '../../src/contract/console-status.ts';
import type { StreamEvent } from '../../src/contract/event.ts';
import type { CallingProgram } from '../../src/contract/program.ts';
import type { Task } from '../../src/contract/task.ts';
import type { GuardianService } from '../../src/services/guardian/guardian-service.ts';
import type { ConsoleService } from '../../src/services/offered-services.ts';
import type { EventService } from '../../src/services/requester-services.ts';
import type { FakeSessions } from '../http/fake-sessions.ts';
import type { Ask } from './made-up.ts';

/**
 * The console of a daemon whose script the test writes. It enforces what the daemon enforces (nonce, digest, the delay
 * after `shown`, presence by its own clock), so that a page that cheats is found out, and it notes every answer.
 */
export type ScriptedConsole = ConsoleService &
  FakeSessions & {
    events: EventService;
    /** Puts a prompt into the queue, and tells the page. */
    ask(what?: Ask): Confirmation;
    /** The action behind a prompt is another one now, or, where it is the same, a fact was added to its prompt. */
    /** The same requester asks for the same once more. */
    askAgain(id: string): void;
    change(id: string, prompt: Partial<Prompt>, options?: { isSameAction?: boolean }): void;
    /** The program behind the requester of a prompt becomes known. */
    learn(id: string, program: CallingProgram): void;
    end(id: string, status: 'expired' | 'denied' | 'allowed'): void;
    /** The person is called for a prompt. */
    call(id: string): void;
    /** Every answer that was given, in words: `allow once hold TakeScreenshot`, `refused confirmation_not_ready`. */
    answers: string[];
    /** Prompts that were fetched one by one. */
    fetched: string[];
    /** How often `shown` was reported for a prompt. */
    shownCount(id: string): number;
    grant(overrides?: Partial<Grant>): Grant;
    /** A task with a step of which nobody knows whether it happened. */
    stick(overrides?: Partial<Task>): Task;
    set(part: Partial<ConsoleStatus>): ConsoleStatus;
    /** Guardian tells the person of something. */
    tellInsight(insight: { insightId: string; title: string }): void;
    acknowledge: GuardianService['acknowledge'];
    /** Ids of insights the person said they know of. */
    acknowledged: string[];
    /** Every key it has handed out, newest last. */
    userKeys: string[];
  };

/** Tells the page that something happened. */
export type Tell = (kind: string, metadata?: StreamEvent['metadata']) => void;
