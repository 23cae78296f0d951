import type { TouchAnswer } from '../contract/shell.ts';
import type { Daemon } from '../daemon.ts';
import type { Surface } from './surface.ts';

type Options = {
  systemPreferences: Pick<Surface['systemPreferences'], 'canPromptTouchID' | 'promptTouchID'>;
  platform: NodeJS.Platform;
  /** The daemon's side of the person; undefined until it runs. */
  person(): Pick<Daemon['person'], 'sentenceOf' | 'touched'> | undefined;
};

export type TouchId = ReturnType<typeof createTouchId>;

/** Presence by Touch ID: the system's own dialog, which no program can answer. */
export function createTouchId({ systemPreferences, platform, person }: Options) {
  const isAvailable = () => platform === 'darwin' && systemPreferences.canPromptTouchID();
  let asking: Promise<TouchAnswer> | undefined;

  async function ask(confirmationId: string): Promise<TouchAnswer> {
    const sentence = person()?.sentenceOf(confirmationId);
    if (sentence === undefined) return 'gone';
    if (!isAvailable()) return 'unavailable';
    try {
      // macOS shows: Handrail is trying to allow “…”. The words come from the daemon, not from the page.
      await systemPreferences.promptTouchID(`allow “${sentence}”`);
    } catch {
      // Cancelled, a foreign finger, or the screen was locked meanwhile: electron gives only a text of the system.
      return 'refused';
    }
    return person()?.touched(confirmationId) === true ? 'touched' : 'gone';
  }

  return {
    isAvailable,
    /** Asks for the person's finger for one prompt. While it asks, another call is refused. */
    async prove(confirmationId: string): Promise<TouchAnswer> {
      if (asking !== undefined) return 'refused';
      asking = ask(confirmationId);
      try {
        return await asking;
      } finally {
        asking = undefined;
      }
    },
  };
}
