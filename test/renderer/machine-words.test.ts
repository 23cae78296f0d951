import { expect, test } from 'vitest';
import { machineFacts, pageWords, stopWords } from '../../renderer/src/devices/device-words.ts';

test('while everything is stopped, each machine has confirmed it, has not yet, or cannot be asked', () => {
  expect(
    stopWords([
      { name: 'studio', status: 'online', running: 0 },
      { name: 'box', status: 'online', running: 1 },
      { name: 'attic', status: 'unreachable', running: 0 },
      { name: 'shed', status: 'online', running: 0 },
    ]),
  ).toEqual([
    'Stopped and confirmed: studio, shed.',
    'Not confirmed yet: box.',
    'Cannot be asked: attic. What ran there ends by itself without this line.',
  ]);
  expect(stopWords([{ name: 'studio', status: 'online', running: 0 }])).toEqual(['Stopped and confirmed: studio.']);
});

test('a machine that was never reached has no facts', () => {
  expect(machineFacts({ running: 0 })).toEqual([]);
  expect(
    machineFacts({ platform: 'macos', hostname: 'studio.local', version: '0.1.0', roundTripMs: 4.449, running: 1 }),
  ).toEqual(['macOS on studio.local', 'Handrail 0.1.0', '4.4 ms there and back', '1 action runs there']);
});

test('what is code in the words of the daemon is quoted on the page', () => {
  expect(pageWords('run `ssh box` once, then `ssh-keygen -R box`')).toBe(
    'run “ssh box” once, then “ssh-keygen -R box”',
  );
});
