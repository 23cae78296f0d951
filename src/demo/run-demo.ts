import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoDaemon, startDemoDaemon } from './daemon.ts';
import { createNarrator, type Narrator, type ScriptedPerson, tellStory } from './story.ts';

type Options = {
  environment: NodeJS.ProcessEnv;
  write: (text: string) => void;
  isColoured: boolean;
  signal: AbortSignal;
  /** Opens a scripted person who answers; absent where a real one does. */
  openPerson?: (daemon: DemoDaemon) => Promise<ScriptedPerson & { close(): Promise<void> }>;
  /** Called when the daemon is ready. */
  atTheStart?: (daemon: DemoDaemon) => void;
  /** Called when the story is over and everything is still there to look at. */
  atTheEnd: (daemon: DemoDaemon) => Promise<void>;
};

/** Starts a daemon of its own, tells the story, lets the person look around, and removes everything. */
export async function runDemo(options: Options): Promise<void> {
  const { environment, write, isColoured, signal, openPerson, atTheStart, atTheEnd } = options;
  const narrator = createNarrator(write, { isColoured });
  write('The demo starts a daemon and a desktop of its own, which takes some seconds.\n\n');
  const daemon = await startDemoDaemon(environment);
  try {
    welcome(narrator, write, daemon);
    atTheStart?.(daemon);
    const person = await openPerson?.(daemon);
    const pause = (durationMs: number) => sleep(durationMs, undefined, { signal }).catch(() => undefined);
    try {
      const end = Promise.race([daemon.ended, aborted(signal)]);
      await Promise.race([tellStory({ daemon, narrator, person, signal, pause }), end]);
      if (!signal.aborted) await atTheEnd(daemon);
    } finally {
      await person?.close();
    }
  } finally {
    await daemon.stop();
  }
}

function welcome(narrator: Narrator, write: (text: string) => void, { base, code, desktop }: DemoDaemon): void {
  write('Handrail demo: two minutes in the life of a program that uses your desktop.\n\n');
  narrator.say(DESKTOP_WORDS[desktop]);
  narrator.say('Its data is in a temporary folder that is removed at the end. Ctrl-C ends the demo at any time.');
  write('\n');
  narrator.ask(`Open ${base}/ and type the code ${code}`);
  narrator.say('Press Enter here for a fresh code.');
}

const DESKTOP_WORDS = {
  'own virtual desktop': 'Everything happens on a virtual desktop of its own. Yours is not touched.',
  'simulated desktop': 'Everything happens on a simulated desktop. Yours is not touched, and no permission is needed.',
} as const;

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
