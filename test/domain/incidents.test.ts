import { expect, test } from 'vitest';
import { click, element, field, INCIDENTS, page, press, type } from './incidents.ts';
import { controlIn, judgedWithAccess } from './with-access.ts';

test.each(INCIDENTS)('$what: the person is asked, or it is refused ($link)', ({ action, verdict, says }) => {
  const judged = judgedWithAccess(action);
  expect(judged.verdict).toBe(verdict);
  expect([judged.sentence, judged.rule, ...judged.reasons].join('\n')).toMatch(says);
});

test('the same access lets ordinary work run, so the questions above are about the actions themselves', () => {
  const link = page('https://mail.example.com/inbox');
  const ordinary = [
    click(controlIn('Chromium', { role: 'link', name: 'Inbox', ...link })),
    click(controlIn('Chromium', { name: 'Sender', ...link })),
    type('Dear Ann, the meeting is at ten.', controlIn('Chromium', { ...field, name: 'Message body', ...link })),
    press('Return', controlIn('Chromium', { role: 'searchbox', isEditable: true, name: 'Find', ...link })),
    press('Return', controlIn('Mousepad', { ...field, name: 'Document' })),
    press('space', controlIn('Chromium', { ...field, name: 'Message', defaultButton: 'Send', ...link })),
    { actionType: 'Scroll', parameters: { ...element, dy: 3 }, control: controlIn('Chromium', link) },
  ];
  expect(ordinary.map((each) => judgedWithAccess(each).verdict)).toEqual(ordinary.map(() => 'allow'));
  expect(ordinary.map((each) => judgedWithAccess(each, 'Calculator').verdict)).toEqual([
    ...['ask', 'ask', 'ask', 'ask', 'ask', 'ask', 'allow'],
  ]);
});
