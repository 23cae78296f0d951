/** The folder of a path that is absolute or begins with `~/`; nothing for another text. */
export function folderOfPath(path: string): string | undefined {
  return /^((?:~|)\/.*[^/])\/[^/]+$/u.exec(path)?.[1];
}

/** A name for a parameter, of the words of its control, that is not taken. */
export function freeName(words: string, taken: readonly string[]): string {
  const parts = words.normalize('NFKD').match(/[A-Za-z0-9]+/gu) ?? [];
  const joined = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  const letters = joined.replace(/^[^A-Za-z]+/u, '').slice(0, 28) || 'value';
  const name = `${letters.charAt(0).toLowerCase()}${letters.slice(1)}`;
  const others = taken.map((_, index) => `${name}${index + 2}`);
  return [name, ...others].find((each) => !taken.includes(each)) ?? name;
}
