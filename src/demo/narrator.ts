/** The voice of the demo on the terminal. */
export type Narrator = {
  /** A new part of the story, with its number. */
  scene(title: string): void;
  say(text: string): void;
  /** A call that the requester makes, as the person could make it. */
  call(line: string): void;
  /** A step for the person to take. */
  ask(text: string): void;
};

/** `isColoured`: whether the terminal shows bold and dim text. */
export function createNarrator(write: (text: string) => void, { isColoured }: { isColoured: boolean }): Narrator {
  const styled = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  let count = 0;
  return {
    scene(title) {
      count += 1;
      write(`\n${styled(1, `${count}. ${title}`)}\n`);
    },
    say: (text) => write(`   ${text}\n`),
    call: (line) => write(`   ${styled(2, `> ${line}`)}\n`),
    ask: (text) => write(`   ${styled(1, `→ ${text}`)}\n`),
  };
}
