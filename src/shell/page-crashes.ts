/** So many crashes of the panel's page within this time are answered by a new page, and no more. */
export const MOST_RELOADS = 3;
const RELOADS_WITHIN_MS = 10 * 60_000;

export type PageCrashes = {
  /** Notes a crash. */
  crashed(): 'reload' | 'give up';
  /** Whether the panel is given up now. */
  isGivenUp(): boolean;
};

type Options = { nowMs?: () => number };

/**
 * Says what becomes of the prompt panel when the process of its page has ended. `reload`: a new page takes its place. `give up`: the page
 * crashes again and again, so the prompt goes another way until the crashes are some time ago.
 */
export function createPageCrashes({ nowMs = () => performance.now() }: Options = {}): PageCrashes {
  let crashes: number[] = [];
  const recent = () => crashes.filter((atMs) => nowMs() - atMs < RELOADS_WITHIN_MS);
  return {
    crashed() {
      // One more than the limit is enough to know that it was passed.
      crashes = [...recent(), nowMs()].slice(-(MOST_RELOADS + 1));
      return crashes.length > MOST_RELOADS ? 'give up' : 'reload';
    },
    isGivenUp: () => recent().length > MOST_RELOADS,
  };
}
