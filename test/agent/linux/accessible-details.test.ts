import { expect, test } from 'vitest';
import type { Question } from '../../../agent/drivers/linux/accessibility-bus.ts';
import { readDetails } from '../../../agent/drivers/linux/accessible-details.ts';
import type { AccessibleNode } from '../../../agent/drivers/linux/accessible-node.ts';
import { ariaRoleOf, PASSWORD_ROLE } from '../../../agent/drivers/linux/aria-roles.ts';
import { busThat, shownNode } from './accessible-fakes.ts';

const ENTRY_ROLE = 79;

const field = (atspiRole: number) =>
  shownNode(atspiRole, { interfaces: new Set(['Component', 'Text', 'Value']), name: 'Field' });

/** The answers of a field, by interface. */
async function asked(node: AccessibleNode, contents: boolean): Promise<string[]> {
  const questions: Question[] = [];
  const bus = busThat(async (_ref, question) => {
    questions.push(question);
    return null;
  });
  await readDetails(bus, node, { contents, timeLeftMs: () => 1_000 });
  return questions.map(({ interface: name, body }) => `${name} ${body ?? ''}`);
}

test('the text of a field is read when contents are asked for', async () => {
  const questions = await asked(field(ENTRY_ROLE), true);
  expect(questions.filter((question) => question.includes('Text'))).not.toEqual([]);
});

test('the text of a password field is not even asked for', async () => {
  expect(ariaRoleOf(PASSWORD_ROLE)).toEqual(ariaRoleOf(ENTRY_ROLE));
  const questions = await asked(field(PASSWORD_ROLE), true);
  expect(questions.filter((question) => /Text|Value/.test(question))).toEqual([]);
});

test('without contents no text is asked for', async () => {
  expect((await asked(field(ENTRY_ROLE), false)).filter((question) => /Text|Value/.test(question))).toEqual([]);
});

test('five actions of an object are read', async () => {
  const names = ['press', 'open', 'menu', 'expand', 'raise', 'close'];
  const bus = busThat(async (_ref, { member }) => (member === 'GetActions' ? [names.map((name) => [name])] : null));
  const node = { ...field(ENTRY_ROLE), interfaces: new Set(['Action']) };
  const { actions } = await readDetails(bus, node, { contents: false, timeLeftMs: () => 1_000 });
  expect(actions).toEqual(['press', 'open', 'menu', 'expand', 'raise']);
});

test.each([
  [10_000, false],
  [10_001, true],
])('of a text of %d characters the first 10,000 are told, and whether it is cut: %s', async (count, isCut) => {
  // A character of two UTF-16 units: apps count characters.
  const characters = Array.from({ length: count }, () => '😀');
  const bus = busThat(async (_ref, { member, body = [] }) =>
    member === 'GetText' ? [characters.slice(Number(body[0]), Number(body[1])).join('')] : null,
  );
  const { text } = await readDetails(bus, field(ENTRY_ROLE), { contents: true, timeLeftMs: () => 1_000 });
  expect(text).toEqual({ value: '😀'.repeat(10_000), isCut });
});

test('one question is asked for a text', async () => {
  const questions = await asked(field(ENTRY_ROLE), true);
  expect(questions.filter((question) => question.includes('Text'))).toEqual(['org.a11y.atspi.Text 0,10001']);
});
