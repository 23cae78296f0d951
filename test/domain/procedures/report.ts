import type { ProcedureSubmission } from '../../../src/contract/procedure.ts';

/** A procedure with a bound of each kind. */
export const REPORT: ProcedureSubmission = {
  name: 'Weekly report',
  description: 'every Monday',
  parameters: {
    week: { type: 'text', maxLength: 8, pattern: '\\d{4}-W\\d{2}' },
    copies: { type: 'number', minimum: 1, maximum: 9, isWhole: true },
    kind: { type: 'choice', values: ['short', 'long'] },
    file: { type: 'path', under: '~/Reports' },
  },
  steps: [
    { id: 'open', actionType: 'OpenApp', parameters: { appName: 'Mousepad' }, expect: { window: 'Mousepad' } },
    {
      id: 'week',
      actionType: 'SetValue',
      target: { app: 'Mousepad', role: 'textbox', name: 'Week', nth: 2 },
      parameters: { value: { $parameter: 'week' } },
      expect: { element: { role: 'textbox', name: 'Week' }, withinMs: 2_000 },
    },
    { id: 'kind', actionType: 'TypeText', parameters: { text: { $parameter: 'kind' } } },
    { id: 'copies', actionType: 'PressKeys', parameters: { keys: 'tab', repeat: { $parameter: 'copies' } } },
    { id: 'save', actionType: 'WriteFile', parameters: { path: { $parameter: 'file' }, content: 'a' } },
  ],
  may: { critical: ['save'], minutes: 5 },
};
