import { createContext } from 'react';

/** The home folder of the person on the daemon's computer; undefined until the daemon has told it. */
export const HomeContext = createContext<string | undefined>(undefined);

/** A text in which the paths under the home folder begin with `~`. A folder with a longer name is another folder. */
export function withHome(text: string, home: string | undefined): string {
  if (home === undefined || home === '/' || !text.includes(home)) return text;
  const spelled = home.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replaceAll(
    new RegExp(`(?<![\\p{L}\\p{N}_/.~+@-])${spelled}(?=/|[^\\p{L}\\p{N}_.~+@-]|\\.?$|\\. )`, 'gu'),
    '~',
  );
}

/** Words that a person searches for, with each path under the home folder as the daemon knows it. */
export function withoutTilde(text: string, home: string | undefined): string {
  return home === undefined ? text : text.replaceAll(/(?<!\S)~(?=\/|\s|$)/gu, () => home);
}
