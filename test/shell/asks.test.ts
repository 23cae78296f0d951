import { describe, expect, test } from 'vitest';
import { askOfLink, askOfPress, askOfSecondStart, NOTICE_ACTIONS, secondStartData } from '../../src/shell/asks.ts';

describe('a link', () => {
  test.each([
    ['handrail://show', 'show'],
    ['handrail://show/', 'show'],
    ['handrail://review', 'review'],
    ['handrail://review/', 'review'],
  ])('%s asks for a window', (link, ask) => {
    expect(askOfLink(link)).toBe(ask);
  });

  test.each([
    'handrail://approve/cnf_1',
    'handrail://review/cnf_1',
    'handrail://review?then=approve',
    'handrail://review#approve',
    'handrail://review//',
    'handrail:review',
    'handrail://',
    'HANDRAIL://APPROVE/cnf_1',
    'handrail://user@review',
    'handrail://review:80',
    ' handrail://review',
    'http://127.0.0.1:3001/login#code',
    'file:///etc/passwd',
    '',
  ])('%j is refused', (link) => {
    expect(askOfLink(link)).toBe('refused');
  });
});

describe('a second start', () => {
  test.each([
    ['plain', ['handrail'], 'show'],
    [
      'with the switches that macOS adds',
      ['handrail', '--allow-file-access-from-files', '--enable-avfoundation'],
      'show',
    ],
    ['to review', ['handrail', '--review'], 'review'],
    ['by a link', ['handrail', 'handrail://review'], 'review'],
    ['by a link that is refused', ['handrail', 'handrail://approve/cnf_1', '--review'], 'refused'],
  ])('%s asks for what it may', (_what, argv, ask) => {
    expect(askOfSecondStart(secondStartData(argv))).toBe(ask);
  });

  test.each([
    [undefined],
    [null],
    ['show'],
    [{}],
    [[{ ask: 'show' }]],
    [{ ask: 'approve' }],
    [{ ask: 'show', approve: 'cnf_1' }],
    [{ ask: ['show'] }],
    [{ argv: ['--show'] }],
  ])('that hands over %j is refused', (additionalData) => {
    expect(askOfSecondStart(additionalData)).toBe('refused');
  });
});

describe('a notification', () => {
  test('offers to review, and nothing else', () => {
    expect(NOTICE_ACTIONS).toEqual([{ text: 'Review', ask: 'review' }]);
  });

  test('clicked, or asked to review, shows what waits', () => {
    expect([askOfPress({ on: 'notice' }), askOfPress({ on: 'action', index: 0 })]).toEqual(['review', 'review']);
  });

  test.each([-1, 1, 2, 0.5, Number.NaN])('action %d was never offered and is refused', (index) => {
    expect(askOfPress({ on: 'action', index })).toBe('refused');
  });

  test('takes no reply', () => {
    expect(askOfPress({ on: 'reply' })).toBe('refused');
  });
});
