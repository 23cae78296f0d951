import { expect, test } from 'vitest';
import type { AccessibilityBus, Question } from '../../../agent/drivers/linux/accessibility-bus.ts';
import { readDetails } from '../../../agent/drivers/linux/accessible-details.ts';
import type { AccessibleNode } from '../../../agent/drivers/linux/accessible-node.ts';
import { ariaRoleOf, PASSWORD_ROLE } from '../../../agent/drivers/linux/aria-roles.ts';

const ENTRY_ROLE = 79;

function field(atspiRole: number): AccessibleNode {
  return {
    ref: { bus: ':1.7', path: '/field' },
    parentPath: '',
    index: 0,
    childCount: 0,
    interfaces: new Set(['Component', 'Text', 'Value']),
    name: 'Field',
    description: '',
    aria: ariaRoleOf(atspiRole),
    isPassword: atspiRole === PASSWORD_ROLE,
    states: {
      checked: false,
      enabled: true,
      focused: false,
      indeterminate: false,
      managesDescendants: false,
      pressed: false,
      selected: false,
      showing: true,
      visible: true,
    },
  };
}

/** The answers of a field, by interface. */
async function asked(node: AccessibleNode, contents: boolean): Promise<string[]> {
  const questions: Question[] = [];
  const bus: AccessibilityBus = {
    apps: async () => [],
    state: async () => 'not_required',
    close: async () => undefined,
    ask: async (_ref, question) => {
      questions.push(question);
      return null;
    },
  };
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
