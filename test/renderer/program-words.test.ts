import { expect, test } from 'vitest';
import { parentWords, shortPath } from '../../renderer/src/prompt/WhoAsks.tsx';

test('a long path keeps its beginning and its end, is cut at slashes, and has at most 48 characters', () => {
  const path = `/home/ann/${'deep/'.repeat(20)}agent.py`;
  expect(shortPath(path)).toBe('/home/ann/deep/…/deep/deep/deep/deep/agent.py');
  expect(shortPath(`/opt/${'x'.repeat(80)}`)).toBe(`/opt/…${'x'.repeat(31)}`);
  expect(shortPath('x'.repeat(48))).toBe('x'.repeat(48));
  expect(shortPath('x'.repeat(49))).toHaveLength(48);
});

test('of the parents the nearest and the first one are named', () => {
  const named = (...names: string[]) => names.map((name, index) => ({ pid: index + 2, name }));
  expect(parentWords(named('bash', 'tmux', 'xterm'))).toBe('bash, from xterm');
  expect(parentWords(named('bash'))).toBe('bash');
  expect(parentWords([])).toBe('');
});
