import { shownText } from '../reach/shown-text.ts';

/** A prompt that waits, as far as its line says it. */
type Waiting = { id: string; userId: string; sentence: string; level: string };

type Options = {
  /** The person's side of the daemon. */
  person: {
    view(): { prompts: readonly Waiting[] };
    onChange(listener: () => void, everyMs?: number): () => void;
    callTaken(id: string): void;
  };
  /** Where the person answers. */
  address: string;
  print(line: string): void;
  nowMs(): number;
};

const LOOK_EVERY_MS = 500;
/** So that a flood of requests does not push everything else out of the terminal. */
const LINES_A_MINUTE = 10;

/**
 * Prints one line for each prompt that comes, and one that more wait where too many come in a minute. To be used only where the person
 * reads along: a stored output must not hold what requesters name. Returns a function that ends it.
 */
export function printPrompts({ person, address, print, nowMs }: Options): () => void {
  let known = new Set<string>();
  let printedAtMs: number[] = [];

  /** Prints a line if there is room for it. */
  function printed(line: string): boolean {
    printedAtMs = printedAtMs.filter((atMs) => nowMs() - atMs < 60_000);
    if (printedAtMs.length > LINES_A_MINUTE) return false;
    const isLast = printedAtMs.length === LINES_A_MINUTE;
    printedAtMs.push(nowMs());
    print(isLast ? `request   more requests wait; answer at ${address}\n` : line);
    return !isLast;
  }

  function look(): void {
    const { prompts } = person.view();
    for (const prompt of prompts) {
      if (known.has(prompt.id)) continue;
      if (!printed(lineOf(prompt, address))) break;
      person.callTaken(prompt.id);
    }
    known = new Set(prompts.map(({ id }) => id));
  }

  look();
  return person.onChange(look, LOOK_EVERY_MS);
}

/** The words of the requester come last, so that none of them can pass for ours. */
function lineOf({ userId, sentence, level }: Waiting, address: string): string {
  return `request   ${level} risk, from "${shownText(userId)}", answer at ${address} : ${shownText(sentence)}\n`;
}
