import { LOCAL } from '../contract/machine-rules.ts';

/** What a sentence begins with that is about another machine than the person's own. */
export function machineWords(machine: string = LOCAL): string {
  return machine === LOCAL ? '' : `On ${machine}: `;
}

/** A sentence that names the machine first, where it is another one. */
export function onMachine(machine: string | undefined, words: string): string {
  const begin = machineWords(machine);
  return begin === '' ? words : `${begin}${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** The same sentence without its machine. */
export function withoutMachine(machine: string | undefined, words: string): string {
  const begin = machineWords(machine);
  return words.startsWith(begin) ? words.slice(begin.length) : words;
}
