import { expect, test } from 'vitest';
import type { ContentsView } from '../../src/contract/scripts.ts';
import { contentsOf } from '../../src/services/prompt-words.ts';

const HIDDEN = '\u202e';
const SPELLED = '\\u{202e}';

function shown(former: string, text: string): ContentsView | undefined {
  const known = { isWhole: true, isText: true, sizeBytes: text.length, noticed: [], noticedCut: false };
  return contentsOf({ contents: { source: 'parameters', text, former, ...known } }).contents;
}

test('the former text of a file is shown beside the new one, both in visible characters', () => {
  expect(shown(`a\tb${HIDDEN}`, 'a')).toMatchObject({ text: 'a', former: `a\\u{9}b${SPELLED}` });
});

test.each([
  [`let name = '${SPELLED}';`, `let name = '${HIDDEN}';`],
  [`let name = '${HIDDEN}';`, `let name = '${SPELLED}';`],
])(
  'P4: a character and the text that spells its escape read alike, so such texts are not compared: %j',
  (former, text) => {
    const contents = shown(former, text);
    expect(contents).not.toHaveProperty('former');
    expect(contents?.text).toBe(`let name = '${SPELLED}';`);
  },
);
