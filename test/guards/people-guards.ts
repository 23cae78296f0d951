import { type Guard, guard } from './guards.ts';

const ORDER = 'test/services/prompt-order.test.ts';
const TIME = 'test/services/answer-time.test.ts';
const EQUAL = 'test/services/equal-prompts.test.ts';
const CLOCK = 'test/services/steady-clock.test.ts';
const ANEW = 'test/services/rejudging.test.ts';

/** The guards of prompts, calling programs and the clock: rows A6, P1 to P4 and T1 of the attack table. */
export const PEOPLE_GUARDS: readonly Guard[] = [
  guard('A6', 'an answer to a prompt of the old rules does not count for that of the new ones', {
    mark: 'A6-8',
    becomes: 'store.confirmations.renew(row.id, { nonce: row.nonce, policyVersion: policyVersion() });',
    failed: [
      ANEW,
      'a prompt whose folder was allowed shows the risk of now, and can be allowed once it was shown anew',
    ],
  }),
  guard('A6', 'a press for a prompt of the old rules does not count for that of the new ones', {
    mark: 'A6-9',
    becomes: '',
    failed: [ANEW, 'a press that was held for a prompt of the old rules proves nothing for that of the new ones'],
  }),
  guard('A6', 'a denial that can still be undone is not judged anew', {
    mark: 'A6-10',
    becomes: 'if (parts.callOffs.isCalledOff(id) || parts.stopped() !== undefined) return;',
    failed: [ANEW, 'a denial that can still be undone is not judged anew'],
  }),
  guard('P1', 'known requesters come before strangers', {
    mark: 'P1-1',
    becomes: "'known',",
    failed: [ORDER, 'P1: a prompt of medium risk of a known requester comes before the critical ones of strangers'],
  }),
  guard('P1', 'the time of a prompt stands still while another one is first', {
    mark: 'P1-2',
    becomes: '',
    failed: [TIME, 'P1: the time to answer runs only while the prompt is the first of the queue'],
  }),
  guard('P2', 'the program of a connection is compared with the one that made it', {
    mark: 'P2-1',
    becomes: 'if (isSame || now !== before) return now;',
    failed: ['test/peers/changed-program.test.ts', 'another %s is another program'],
  }),
  guard('P2', 'a program that was not found at first is not taken for the one that was found later', {
    mark: 'P2-2',
    becomes:
      "if (before.kind === 'unknown') return now ?? unknownProgram(`when the connection was made: ${before.because}`);",
    failed: ['test/peers/changed-program.test.ts', 'a program that was found only once is unknown'],
  }),
  guard('P3', 'one answer is only for prompts that ask the same question', {
    mark: 'P3-1',
    becomes: 'const isEqual = other.actionDigest === row.actionDigest;',
    failed: [EQUAL, 'P3: a prompt for the same by another program under the same name is not equal'],
  }),
  guard('P3', 'one answer is only for prompts with its digest', {
    mark: 'P3-2',
    becomes: "return hash('sha256', canonicalJson([risk, withoutProcesses(program)]));",
    failed: [EQUAL, 'P3: the question of another action is another one'],
  }),
  guard('P3', 'one answer is only for prompts of the rules of now', {
    mark: 'P3-3',
    becomes: 'if (!isEqual || policyVersion === undefined) return OTHERS_NOW;',
    failed: [EQUAL, 'P3: an equal prompt by rules that changed meanwhile is not answered'],
  }),
  guard('P3', 'a prompt waits for ten minutes at most, however often the person adds time', {
    mark: 'P3-4',
    becomes: 'sinceMs === undefined ? mostMs : sinceMs + leftMs;',
    failed: [TIME, 'P3: the person gets two more minutes for a prompt, and ten in all'],
  }),
  guard('P5', 'the folder that a prompt has shown is the one that is allowed', {
    mark: 'P5-1',
    becomes: 'if (isReal === true && realPath === "")',
    failed: [
      'test/services/permissions/allowed-folders.test.ts',
      'P5: a folder that was shown in a prompt is not allowed if a link leads from there to another one by now',
    ],
  }),
  guard('P4', 'texts that spell an escape are not compared', {
    mark: 'P4-1',
    becomes: 'const isComparable = former !== undefined;',
    failed: [
      'test/services/compared-texts.test.ts',
      'P4: a character and the text that spells its escape read alike, so such texts are not compared: %j',
    ],
  }),
  guard('P4', 'a text that was not read to its end, or is no text, is not compared', {
    mark: 'P4-2',
    becomes: "const isKnown = inside !== undefined && 'text' in inside && inside.isWhole && inside.isText;",
    failed: ['test/domain/file-actions.test.ts', 'P4: an overwrite is compared with %s'],
  }),
  guard('P4', 'a line break at the end of only one of two texts is a difference', {
    mark: 'P4-3',
    becomes: 'const isBroken = texts.length === 2;',
    failed: [
      'test/renderer/difference.test.ts',
      'P4: a break at the end is a line of its own where only one of the texts has it',
    ],
  }),
  guard('T1', 'the clock ignores leaps', {
    mark: 'T1-1',
    becomes: '',
    failed: [CLOCK, 'ignores a leap of %i ms'],
  }),
  guard('T1', 'after a start, retention goes on from where it was', {
    mark: 'T1-2',
    becomes:
      'const nowMs = (): number => Math.max(clock.nowMs(), 0 * mostMs + CATCH_UP * Math.max(0, clock.nowMs() - startedAtMs));',
    failed: [CLOCK, 'T1: a start under a clock that is a year ahead deletes no more than a day would have'],
  }),
];
