import type { Confirmation, Decision, GrantScope, Prompt } from '../../../src/contract/console.ts';
import { ONLY_ONCE } from '../../../src/contract/first-layer.ts';
import { minutesInWords } from '../../../src/contract/times.ts';
import { withHome } from '../VisibleText.tsx';

export const ALLOW_WORDS: Record<GrantScope, string> = {
  once: 'Allow once',
  task: 'Allow for this task',
  minutes15: 'Allow for 15 minutes',
  untilQuit: 'Allow until quit', // guard E-24
  always: 'Always allow',
};

/** The same for a request of high risk, which must be held. */
const HOLD_WORDS: Record<GrantScope, string> = {
  once: 'Hold to allow once',
  task: 'Hold to allow for this task',
  minutes15: 'Hold to allow for 15 minutes',
  untilQuit: 'Hold to allow until quit',
  always: 'Hold to always allow',
};

/** The words of the button. `isLasting`: its one request asks for a time of its own, so that it is not for once. */
export function allowWords(scope: GrantScope, { isHeld, isLasting }: { isHeld: boolean; isLasting: boolean }): string {
  if (scope === 'once' && isLasting) return isHeld ? 'Hold to allow' : 'Allow';
  return (isHeld ? HOLD_WORDS : ALLOW_WORDS)[scope];
}

/** The end of the words of the button where the person chose how much of an access they give. */
export function accessWords(access: Decision['access']): string {
  return access === undefined ? '' : ` for ${minutesInWords(access.minutes)}`;
}

/** The end of the words of the button where the person also allows a folder. */
export function folderWords(folder: Prompt['folder'], home: string | undefined): string {
  if (folder === undefined) return '';
  const verb = folder.access === 'read' ? 'read' : 'change';
  return `, and from now on ${verb} ${withHome(folder.path, home)}`;
}

export const SCOPE_WORDS: Record<GrantScope, string> = {
  once: 'Once',
  task: 'This task',
  minutes15: '15 minutes',
  untilQuit: 'Until quit',
  always: 'Always',
};

/** Whether even the approval of this one request lasts, as that of an access does. */
export function isLasting(scopes: Confirmation['scopes']): boolean {
  return scopes.some(({ scope, grant }) => scope === 'once' && grant !== ONLY_ONCE);
}

/** Whether an answer gives a grant, now or when its action has succeeded. */
export function givesGrant(
  { scopes }: Pick<Confirmation, 'scopes'>,
  { decision, scope = 'once' }: Pick<Decision, 'decision' | 'scope'>,
): boolean {
  return decision === 'allow' && (scope !== 'once' || isLasting(scopes));
}
