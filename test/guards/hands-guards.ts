import type { Guard } from './guards.ts';

const HANDS_OFF = 'test/services/hands-off.test.ts';
const ACCESS = 'test/services/access.test.ts';
const PROMPT = 'test/services/hands-prompt.test.ts';

/** The guards of the hands: rows N1 to N7 of the attack table. */
export const HANDS_GUARDS: readonly Guard[] = [
  guard('N6', 'no input is sent while a prompt is shown', {
    file: 'src/services/actions/shared-hands.ts',
    from: 'return !others.some(isAlone) && !isHeld(kind, isPromptShown);',
    to: 'return !others.some(isAlone);',
    failed: [HANDS_OFF, 'N6: no input is sent while a prompt is shown'],
  }),
  guard('N6', 'an approval counts only without input', {
    file: 'src/services/confirmations/answer.ts',
    from: 'if (clock.nowMs() < parts.handsOffAtMs) {',
    to: 'if (parts.handsOffAtMs < 0) {',
    failed: [HANDS_OFF, 'N6: a prompt cannot be allowed while input is under way'],
  }),
  guard('N6', 'a press under input is no presence', {
    file: 'src/services/confirmations/hands-off.ts',
    from: '    holds.forget(id);',
    to: '    void holds;',
    failed: [HANDS_OFF, 'N6: a held press that began under input is no presence'],
  }),
  guard('N4', 'no text goes into a password field', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: 'control?.isPassword === true ?',
    to: 'control?.isPassword === undefined ?',
    failed: [ACCESS, 'N4: with access, %s is blocked'],
  }),
  guard('N4', 'no input reaches a window or page of Handrail', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: 'if (isOwn || names.some(isHandrail))',
    to: 'if (names.some(isHandrail))',
    failed: [PROMPT, 'N4: no profile and no grant lets input reach %s'],
  }),
  guard('N3', 'access ends where the risk is high', {
    file: 'src/domain/grant.ts',
    from: "return isRisky || isAtLeast(risk.level, 'high') ? undefined : access;",
    to: 'return isRisky ? undefined : access;',
    failed: [ACCESS, 'N3, N7: with access, %s still asks'],
  }),
];

type Removed = { file: string; from: string; to: string; failed: [test: string, title: string] };

function guard(row: string, what: string, { file, from, to, failed: [test, title] }: Removed): Guard {
  return { row, removed: { file, what, from, to }, failed: { file: test, title } };
}
