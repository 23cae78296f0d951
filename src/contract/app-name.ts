/** Characters no app's name needs: control, bidi, zero-width, separators of paths and of shells, quotes. */
const FORBIDDEN: readonly { pattern: RegExp; fault: string }[] = [
  { pattern: /^\s|\s$|^$/u, fault: 'must not be empty, or begin or end with a space' },
  { pattern: /^-/u, fault: 'must not begin with "-", which a program would read as an option' },
  {
    pattern: /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]/u,
    fault: 'must not contain control, bidirectional or invisible characters',
  },
  { pattern: /\p{Cs}/u, fault: 'must be well-formed Unicode' },
  { pattern: /[/\\]|\.\.|^~/u, fault: 'must be a name, not a path' },
  { pattern: /^[a-z][a-z0-9+.-]*:/iu, fault: 'must be a name, not a URL' },
  { pattern: /["'`$;|<>*?\n]/u, fault: 'must not contain quotes or characters that a shell interprets' },
];

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'] as const;

/**
 * Says what is wrong with the name of an app, or nothing. One rule for both ends of the link: a name that could be taken
 * for an option, a path, a URL, a command or for another name is refused, not resolved.
 */
export function appNameFault(name: string): string | undefined {
  return FORBIDDEN.find(({ pattern }) => pattern.test(name))?.fault ?? mixedScripts(name);
}

/** Letters of two look-alike scripts in one name: Unicode UTS #39, mixed-script detection, for the confusable ones. */
function mixedScripts(name: string): string | undefined {
  const found = SCRIPTS.filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name));
  return found.length > 1 ? `must not mix letters of ${found.join(' and ')}, which look alike` : undefined;
}
