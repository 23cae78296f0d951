import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMacosDriver } from '../../../agent/drivers/macos/driver.ts';
import { describeDriver } from '../driver-contract.ts';
import { createFakePrograms } from './fake-programs.ts';
import { createOffice, DOCUMENT_TEXT, PASSWORD } from './office.ts';

describeDriver('macOS', async ({ screen }) => {
  const { mac } = createOffice();
  for (const display of mac.displays) display.scale = 1;
  if (screen === 'none') {
    mac.displays = [];
    mac.session = null;
  }
  const programs = createFakePrograms(mac);
  const temporary = await mkdtemp(join(tmpdir(), 'macos-driver-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  return {
    driver: createMacosDriver({ run: programs.run }),
    app: { name: 'Notes', misspelled: 'Noets' },
    windowlessApp: 'Silent',
    brokenApp: 'Broken',
    documentText: DOCUMENT_TEXT,
    password: PASSWORD,
    startedPrograms: async () =>
      programs.started.filter(({ program }) => program === '/usr/bin/open').map(({ args }) => args.join(' ')),
    leftovers: async () => [
      ...(programs.running() > 0 ? [`${programs.running()} programs`] : []),
      ...(existsSync(temporary) ? readdirSync(temporary) : []),
    ],
    dispose: async () => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      await rm(temporary, { recursive: true, force: true });
    },
  };
});
