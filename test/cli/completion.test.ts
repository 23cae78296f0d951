import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { handrail } from './rig.ts';

test('every script names every command', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { output } = await handrail(['completion', shell]);
    for (const name of [
      'start',
      'status',
      'describe',
      'screenshot',
      'act',
      'watch',
      'disconnect',
      'uninstall',
      'machine',
    ])
      expect([shell, output]).toEqual([shell, expect.stringContaining(name)]);
  }
});

test('every script completes the action types of the catalogue', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { output } = await handrail(['completion', shell]);
    for (const name of CATALOGUE.keys()) expect([shell, output]).toEqual([shell, expect.stringContaining(name)]);
  }
});
