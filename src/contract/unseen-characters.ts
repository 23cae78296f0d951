/**
 * Characters that a text for the person must spell out: they show nothing, or turn a line around, or are marks that pile up on one letter until
 * they cover the lines around. Every writing system does with four marks on a letter.
 */
export const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{4})\p{M}/gu; // guard A5-3

/** The same for a text with lines, whose breaks and tabs are part of its form. */
export const UNSEEN_IN_LINES =
  /[[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t]]|(?<=\p{M}{4})\p{M}/gv;

/** Marks that look like the end or the beginning of a quotation, in the typefaces of the page and of the system. */
export const QUOTATION_MARKS = /[“”„‟″‶‴⁗«»‹›❝❞❠〝〞〟＂ʺˮ˝״＂\u{1f676}-\u{1f678}]/gu;

/** A path of these characters cannot read on as words of Handrail. */
export const PLAIN_PATH = /^[\p{L}\p{N}/._~@+=-]*$/u;

/** What a line of a page shows as one blank. */
export const LOST_IN_A_LINE = /\n|(?<= ) /gu; // guard A5-6

/** Such a character as `\u{202e}`. */
export function spelledOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
