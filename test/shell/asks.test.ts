import { describe, expect, test } from 'vitest';
import { askOfArguments, askOfLink, askOfPress, NOTICE_ACTIONS } from '../../src/desktop/asks.ts';

const FROM = { appPath: '/home/ann/handrail', workingDirectory: '/home/ann/handrail' };

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
    ['with the argument that Chromium adds', ['handrail', '--original-process-start-time=13376'], 'show'],
    ['of a checkout, by its folder', ['electron', '.'], 'show'],
    ['of a checkout, by its whole path', ['electron', '/home/ann/handrail'], 'show'],
    ['to show the dashboard', ['handrail', '--show'], 'show'],
    ['to review', ['handrail', '--review'], 'review'],
    ['by a link', ['handrail', 'handrail://review'], 'review'],
  ])('%s asks for a window', (_what, argv, ask) => {
    expect(askOfArguments(argv, FROM)).toBe(ask);
  });

  test.each([
    [['--approve=cnf_1']],
    [['--approve', 'cnf_1']],
    [['approve', 'cnf_1']],
    [['handrail://approve/cnf_1']],
    [['--review', '--approve=cnf_1']],
    [['--review=cnf_1']],
    [['--original-process-start-time=1;--approve=cnf_1']],
    [['..']],
    [['']],
  ])('with %j is refused', (words) => {
    expect(askOfArguments(['handrail', ...words], { ...FROM, workingDirectory: '/home/ann' })).toBe('refused');
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
