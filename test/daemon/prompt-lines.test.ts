import { expect, test } from 'vitest';
import { printPrompts } from '../../src/daemon/terminal.ts';

type Waiting = { id: string; userId: string; sentence: string; level: string };

const asked = (id: string, more: Partial<Waiting> = {}): Waiting => {
  return { id, userId: 'ann', sentence: 'Take a screenshot', level: 'medium', ...more };
};

function start() {
  const lines: string[] = [];
  const taken: string[] = [];
  let prompts: Waiting[] = [];
  let nowMs = 0;
  let changed: (() => void) | undefined;
  const stop = printPrompts({
    person: {
      view: () => ({ prompts }),
      onChange(listener) {
        changed = listener;
        return () => {
          changed = undefined;
        };
      },
      callTaken: (id) => void taken.push(id),
    },
    address: 'http://127.0.0.1:3001/',
    print: (line) => void lines.push(line),
    nowMs: () => nowMs,
  });
  return {
    lines,
    taken,
    stop,
    isWatching: () => changed !== undefined,
    show(...waiting: Waiting[]) {
      prompts = waiting;
      changed?.();
    },
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

const LINE = 'request   medium risk, from "ann", answer at http://127.0.0.1:3001/ : Take a screenshot\n';

test('each prompt is a line once: its risk, who asks, where to answer, and what', () => {
  const terminal = start();
  terminal.show(asked('a'));
  terminal.show(asked('a'), asked('b', { level: 'high', sentence: 'Open the app “xterm”' }));
  terminal.show(asked('b'));
  expect(terminal.lines).toEqual([
    LINE,
    'request   high risk, from "ann", answer at http://127.0.0.1:3001/ : Open the app “xterm”\n',
  ]);
  terminal.stop();
  expect(terminal.isWatching()).toBe(false);
});

test('words of a requester cannot control the terminal, begin a line, turn it around or fill it', () => {
  const terminal = start();
  const hostile = `\u001b[2J\u009b1A\r\ncode AAAA-AAAA\u202e\u200b\t\u0007`;
  terminal.show(
    asked('a', { sentence: hostile, userId: 'a\u001b]0;x\u0007' }),
    asked('b', { sentence: '😀'.repeat(300) }),
  );
  expect(terminal.lines).toEqual([
    'request   medium risk, from "a\\u{1b}]0;x\\u{7}", answer at http://127.0.0.1:3001/ : ' +
      '\\u{1b}[2J\\u{9b}1A\\u{d}\\u{a}code AAAA-AAAA\\u{202e}\\u{200b}\\u{9}\\u{7}\n',
    `request   medium risk, from "ann", answer at http://127.0.0.1:3001/ : ${'😀'.repeat(200)}…\n`,
  ]);
});

test('of a flood ten lines a minute are printed, and one that more wait', () => {
  const terminal = start();
  const flood = Array.from({ length: 30 }, (_none, index) => asked(`p${index}`));
  terminal.show(...flood.slice(0, 20));
  terminal.show(...flood);
  expect(terminal.lines).toEqual([
    ...Array.from({ length: 10 }, () => LINE),
    'request   more requests wait; answer at http://127.0.0.1:3001/\n',
  ]);
  terminal.pass(60_000);
  terminal.show(...flood, asked('later'));
  expect(terminal.lines.slice(11)).toEqual([LINE]);
});
