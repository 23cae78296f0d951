import type { TouchAnswer } from '../contract/shell.ts';

type Options = {
  /** Whether the system can ask for a finger now. */
  isAvailable(): boolean;
  /** Shows the system's own dialog. Rejects when the person cancels, the finger is foreign, or the screen is locked. */
  promptFor(reason: string): Promise<void>;
  /** The daemon's side of the person; undefined until it runs. */
  person(): TouchedPerson | undefined;
};

type TouchedPerson = {
  /** Verb and object of a prompt that waits; undefined when it waits no longer. */
  sentenceOf(confirmationId: string): string | undefined;
  /** The system has recognized the person's finger for this prompt. False when it waits no longer. */
  touched(confirmationId: string): boolean;
};

export type TouchId = { isAvailable(): boolean; prove(confirmationId: string): Promise<TouchAnswer> };

/** Presence by Touch ID: the system's own dialog, which no program can answer. */
export function createTouchId({ isAvailable, promptFor, person }: Options): TouchId {
  let isAsking = false;

  async function ask(confirmationId: string): Promise<TouchAnswer> {
    const sentence = person()?.sentenceOf(confirmationId);
    if (sentence === undefined) return 'gone';
    if (!isAvailable()) return 'unavailable';
    try {
      // macOS shows: Handrail is trying to allow “…”. The words come from the daemon, not from the page.
      await promptFor(`allow “${sentence}”`);
    } catch {
      // Cancelled, a foreign finger, or the screen was locked meanwhile: electron gives only a text of the system.
      return 'refused';
    }
    return person()?.touched(confirmationId) === true ? 'touched' : 'gone';
  }

  return {
    isAvailable,
    /** Asks for the person's finger for one prompt. One finger at a time: while it asks, another call is refused. */
    async prove(confirmationId) {
      if (isAsking) return 'refused';
      isAsking = true;
      try {
        return await ask(confirmationId);
      } finally {
        isAsking = false;
      }
    },
  };
}
