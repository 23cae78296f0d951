import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { provideNeeds } from './needs.ts';

const NEEDS = [
  { name: 'xdpyinfo', package: 'x11-utils', anyOf: ['xdpyinfo'] },
  { name: 'ImageMagick', package: 'imagemagick', anyOf: ['import'] },
  { name: 'a shell', package: 'dash', anyOf: ['/bin/sh'] },
];

/** A machine whose only program on PATH is an apt-get that notes what it is asked, and installs these programs. */
function bareMachine(installs: string) {
  const folder = mkdtempSync(join(tmpdir(), 'bare-machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const notes = join(folder, 'notes');
  const script = [
    '#!/bin/sh',
    `echo "$DEBIAN_FRONTEND: $*" >> ${notes}`,
    `[ "$1" = update ] || for name in ${installs}; do printf '' > ${folder}/$name; /bin/chmod +x ${folder}/$name; done`,
  ];
  writeFileSync(notes, '');
  writeFileSync(join(folder, 'apt-get'), script.join('\n'), { mode: 0o755 });
  return { environment: { PATH: folder }, notes: () => readFileSync(notes, 'utf8') };
}

test('as root on Debian what is missing is installed, from fresh lists and without questions', () => {
  const { environment, notes } = bareMachine('xdpyinfo import');
  expect(provideNeeds(NEEDS, { environment, asRoot: true, isDebian: true })).toBeNull();
  expect(notes()).toBe(
    'noninteractive: update\nnoninteractive: install --yes --no-install-recommends imagemagick x11-utils\n',
  );
});

test('what could not be installed is named, with the command that installs it', () => {
  const { environment } = bareMachine('import');
  expect(provideNeeds(NEEDS, { environment, asRoot: true, isDebian: true })).toBe(
    'The tests need xdpyinfo. On Debian this installs it:\napt-get install --yes --no-install-recommends x11-utils',
  );
});

test('nothing is installed for who is not root: the command is named instead', () => {
  const { environment, notes } = bareMachine('xdpyinfo import');
  expect(provideNeeds(NEEDS, { environment, asRoot: false, isDebian: true })).toBe(
    'The tests need xdpyinfo, ImageMagick. On Debian this installs it:\n' +
      'sudo apt-get install --yes --no-install-recommends imagemagick x11-utils',
  );
  expect(notes()).toBe('');
});
