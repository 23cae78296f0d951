import { expect, test } from 'vitest';
import { withHome, withoutTilde } from '../../renderer/src/VisibleText.tsx';

const HOME = '/home/ann';

test.each([
  ['Read “june.csv” in /home/ann/Reports', 'Read “june.csv” in ~/Reports'],
  ['List the files in /home/ann', 'List the files in ~'],
  ['“/home/ann/My files/a” and /home/ann/b are outside.', '“~/My files/a” and ~/b are outside.'],
  ['It is in /home/ann.', 'It is in ~.'],
])('a path under the home folder begins with ~: %s', (text, shown) => {
  expect(withHome(text, HOME)).toBe(shown);
});

test.each([
  '/home/anna/Reports',
  '/home/ann.old/Reports',
  '/home/ann-2',
  '/mnt/home/ann/Reports',
  '/backup:/home/bob',
  '~/Reports',
])('another path stays as it is: %s', (text) => {
  expect(withHome(text, HOME)).toBe(text);
});

test('without a known home folder every path stays whole', () => {
  expect(withHome('/home/ann/a', undefined)).toBe('/home/ann/a');
  expect(withHome('/tmp/a', '/')).toBe('/tmp/a');
});

test.each([
  ['~/Reports', '/home/ann/Reports'],
  ['moved ~', 'moved /home/ann'],
  ['letter.md~ a~/b ~bob', 'letter.md~ a~/b ~bob'],
])('a search for %j is one for %j', (text, asked) => {
  expect(withoutTilde(text, HOME)).toBe(asked);
});
