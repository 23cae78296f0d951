/**
 * The names of the parts that the words after `--` ask for, in the order of the bench; all of them where there are no words. `help`
 * where one of the words asks for help. Throws at a name that no part has.
 */
export function partsWanted(names: readonly string[], words: readonly string[]): readonly string[] | 'help' {
  if (words.includes('--help') || words.includes('-h')) return 'help';
  const unknown = words.find((word) => !names.includes(word));
  if (unknown !== undefined) throw new Error(`no part is called ${unknown}; there are ${names.join(', ')}`);
  return words.length === 0 ? names : names.filter((name) => words.includes(name));
}
