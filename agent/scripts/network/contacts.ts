import { type ContactRefusal, type Contacts, MAX_CONTACTS } from '../../../src/contract/scripts.ts';

const MOST_CHARACTERS = 100;

/** Notes which hosts a script has reached and which it was refused, each once and in the order of the first time. */
export function createContacts() {
  const reached = new Set<string>();
  const refused = new Map<string, ContactRefusal>();
  let complete = true;
  const hasRoom = (size: number) => {
    if (size >= MAX_CONTACTS) complete = false;
    return size < MAX_CONTACTS;
  };
  return {
    reached(to: string): void {
      if (!reached.has(to) && hasRoom(reached.size)) reached.add(to);
    },
    /** `to` is a text of the script, so only its visible characters of ASCII are kept. */
    refused(to: string, why: ContactRefusal): void {
      const shown = to.slice(0, MOST_CHARACTERS).replaceAll(/[^\x21-\x7e]/gu, '?');
      if (!refused.has(shown) && hasRoom(refused.size)) refused.set(shown, why);
    },
    all: (): Contacts => ({
      reached: [...reached],
      refused: [...refused].map(([to, why]) => ({ to, why })),
      complete,
    }),
  };
}
