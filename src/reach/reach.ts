import type { ReachTrials } from '../contract/settings.ts';

/** One way to call the person. It may fail; a prompt waits at the dashboard all the same. */
export type Channel = {
  name: 'desktop' | 'hook';
  /** Calls the person for a prompt. Rejects with the reason where nothing could be shown. */
  call(call: Call): Promise<void>;
  /** Takes the call back, where the channel can. Never rejects. */
  withdraw(id: string): Promise<void>;
  close(): Promise<void>;
};

/** `id` is the confirmation's. The words of a requester stand only in `body`, quoted and with every character visible. */
export type Call = { id: string; title: string; body: string };

/** How one channel did when the person tried it. */
type Trial = ReachTrials['items'][number];

type Prompt = { id: string; userId: string; sentence: string; level: string; isCalled: boolean };

type Options = {
  /** The person's side of the daemon. It limits how often the person is called, and marks the prompts. */
  person: {
    view(): { prompts: readonly Prompt[] };
    onChange(listener: () => void, everyMs?: number): () => void;
    callTaken(id: string): void;
  };
  channels: readonly Channel[];
  log: { warn(facts: object, message: string): void };
};

const TITLE = 'Handrail needs your answer';

const LONGEST = 200;
const SHOWS_NOTHING = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A text outside of the page: characters that control, show nothing or turn a line around become escapes; a long text is cut. */
export function shownText(text: string): string {
  const characters = [...text.slice(0, 2 * LONGEST + 2)];
  const cut = characters.length > LONGEST ? [...characters.slice(0, LONGEST), '…'] : characters;
  return cut.map((character) => (SHOWS_NOTHING.test(character) ? escapeOf(character) : character)).join('');
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Calls the person for each prompt by every channel, and takes the calls back when the prompt has ended. */
export function createReach({ person, channels, log }: Options) {
  const shown = new Set<string>();
  const failing = new Set<Channel['name']>();

  async function say(channel: Channel, call: Call): Promise<void> {
    try {
      await channel.call(call);
      person.callTaken(call.id);
      failing.delete(channel.name);
    } catch (error) {
      // Once is enough: a desktop without a notification server would fill the log.
      if (!failing.has(channel.name)) log.warn({ err: error }, `the person could not be called by ${channel.name}`);
      failing.add(channel.name);
    }
  }

  function look(): void {
    const called = new Map(person.view().prompts.flatMap((prompt) => (prompt.isCalled ? [[prompt.id, prompt]] : [])));
    for (const id of [...shown].filter((each) => !called.has(each))) {
      shown.delete(id);
      for (const channel of channels) void channel.withdraw(id);
    }
    for (const [id, { userId, sentence, level }] of called) {
      if (shown.has(id)) continue;
      shown.add(id);
      const body = `${shownText(sentence)}. ${level} risk, asked by “${shownText(userId)}”`;
      for (const channel of channels) void say(channel, { id, title: TITLE, body });
    }
  }

  look();
  const forget = person.onChange(look);

  return {
    /** Calls the person once by each channel, and answers which did not work. */
    tryOut: (): Promise<Trial[]> =>
      Promise.all(
        channels.map(async (channel) => {
          const call = { id: 'trial', title: 'Handrail can reach you', body: 'This is the trial that you asked for.' };
          try {
            await channel.call(call);
            return { channel: channel.name };
          } catch (error) {
            return { channel: channel.name, problem: error instanceof Error ? error.message : String(error) };
          }
        }),
      ),
    async close(): Promise<void> {
      forget();
      await Promise.all([...shown].flatMap((id) => channels.map((channel) => channel.withdraw(id))));
      await Promise.all(channels.map((channel) => channel.close()));
    },
  };
}
