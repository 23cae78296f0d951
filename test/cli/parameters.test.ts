import { describe, expect, test } from 'vitest';
import { exitCodeOf, exitCodeOfTask } from '../../src/cli/command.ts';
import { readParameters } from '../../src/cli/parameters.ts';
import { minutes, printable, printableLine, statusLine, styled } from '../../src/cli/terminal.ts';
import { ACTION_STATUSES } from '../../src/contract/action.ts';
import { TakeScreenshotParameters, WaitParameters } from '../../src/contract/parameters.ts';

describe('key=value', () => {
  test('a parameter that takes text keeps it, whatever it looks like', () => {
    const words = ['windowId=4194307', 'format=png', 'display=', 'display=a=b'];
    expect(readParameters(words, TakeScreenshotParameters)).toEqual({
      windowId: '4194307',
      format: 'png',
      display: 'a=b',
    });
  });

  test('any other is read as JSON, and stays text where it is none', () => {
    expect(readParameters(['durationMs=500'], WaitParameters)).toEqual({ durationMs: 500 });
    expect(readParameters(['durationMs=soon'], WaitParameters)).toEqual({ durationMs: 'soon' });
    expect(readParameters(['region={"x":1}', 'other=true'], TakeScreenshotParameters)).toEqual({
      region: { x: 1 },
      other: true,
    });
  });

  test('key:=json is JSON in any case', () => {
    expect(readParameters(['windowId:=7'], TakeScreenshotParameters)).toEqual({ windowId: 7 });
    expect(() => readParameters(['windowId:=x'], TakeScreenshotParameters)).toThrow(
      'The value of windowId should be JSON',
    );
  });

  test.each(['durationMs', '=5', '--x=1', '5=5'])('%s is a fault of usage', (word) => {
    expect(() => readParameters([word], WaitParameters)).toThrow('should have the form key=value');
  });

  test('a name of every object is a name like any other', () => {
    const read = readParameters(['constructor=2', 'toString=x'], WaitParameters);
    expect(read).toEqual({ constructor: 2, toString: 'x' });
  });
});

test('each status of an action has its exit code', () => {
  expect(Object.fromEntries(ACTION_STATUSES.map((status) => [status, exitCodeOf(status)]))).toEqual({
    success: 0,
    denied: 3,
    blocked: 3,
    expired: 4,
    failed: 5,
    unknown: 5,
    cancelled: 1,
    awaiting_confirmation: 1,
    queued: 1,
    running: 1,
  });
});

test.each([
  ['success', ['success'], 0],
  ['failed', ['success', 'denied', 'skipped'], 3],
  ['failed', ['blocked'], 3],
  ['failed', ['expired', 'skipped'], 4],
  ['failed', ['failed', 'skipped'], 5],
  ['cancelled', ['cancelled'], 1],
  ['needs_attention', ['unknown'], 5],
] as const)('a task that ended as %s with steps %j exits with %i', (status, statuses, code) => {
  const steps = statuses.map((of) => ({ status: of }));
  expect(exitCodeOfTask({ status, steps } as never)).toBe(code);
});

describe('a terminal', () => {
  const place = (isTTY: boolean) => {
    const written: string[] = [];
    return { isTTY, columns: 20, written, write: (text: string) => written.push(text) > 0 };
  };

  test('gets colours, unless the person wants none; a file never gets any', () => {
    expect(styled(place(true), {})('red', 'x')).toBe('\u001b[31mx\u001b[39m');
    for (const [isTTY, environment] of [
      [true, { NO_COLOR: '1' }],
      [true, { TERM: 'dumb' }],
      [false, {}],
    ] as const)
      expect(styled(place(isTTY), environment)('red', 'x')).toBe('x');
  });

  test('has one line that is written over, never longer than it is wide; a file has none', () => {
    const terminal = place(true);
    const line = statusLine(terminal);
    line.show('waiting '.repeat(9));
    line.clear();
    line.clear();
    expect(terminal.written).toEqual([`\r\u001b[K${'waiting '.repeat(9).slice(0, 19)}`, '\r\u001b[K']);
    const file = place(false);
    statusLine(file).show('x');
    expect(file.written).toEqual([]);
  });

  test('is not rewritten by the text of another program', () => {
    expect(printable('a\u001b[2Jb\u202ec\r\u009b')).toBe('a\\u{1b}[2Jb\\u{202e}c\\u{d}\\u{9b}');
    expect(printable('tab\tand\nline 👩‍💻 ü')).toBe('tab\tand\nline 👩‍💻 ü');
    expect(printableLine('one\ntwo')).toBe('one two');
  });

  test('shows what is left of a prompt in minutes and seconds', () => {
    expect([0, -5, 999, 47_000, 61_000].map(minutes)).toEqual(['0:00', '0:00', '0:01', '0:47', '1:01']);
  });
});
