import { responsibleApp } from './responsible-app.ts';

/** `errAEEventNotPermitted`. The sentence before it is in the language of the person. */
const NOT_PERMITTED = /\(-1743\)/;

/** The remedy where the words of a program of macOS tell that Automation was denied, or undefined. */
export function automationRemedy(words: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (!NOT_PERMITTED.test(words)) return undefined;
  const owner = responsibleApp(environment) ?? 'the terminal that Handrail was started from';
  return (
    'macOS denied Automation (error −1743): under System Settings → Privacy & Security → Automation ' +
    `(x-apple.systempreferences:com.apple.preference.security?Privacy_Automation) switch on the other app below ${owner}. ` +
    'If it is not in the list, macOS asks again at the next attempt after `tccutil reset AppleEvents`.'
  );
}
