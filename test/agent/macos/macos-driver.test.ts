import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMacosDriver } from '../../../agent/drivers/macos/driver.ts';
import { describeDriver } from '../driver-contract.ts';
import { createFakePrograms } from './fake-programs.ts';
import { application, createOffice, DOCUMENT_TEXT, PASSWORD } from './office.ts';

describeDriver('macOS', async ({ screen }) => {
  const { mac, textEdit } = createOffice();
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
    driver: createMacosDriver({ run: programs.run, converse: programs.converse }),
    app: { name: 'Notes', misspelled: 'Noets' },
    windowlessApp: 'Silent',
    brokenApp: 'Broken',
    documentText: DOCUMENT_TEXT,
    password: PASSWORD,
    async showUnsavedApp() {
      textEdit.whenAskedToQuit = 'asks';
      return { name: 'TextEdit', end: async () => undefined };
    },
    async showDeafApp() {
      const window = { title: 'Deaf', bounds: { x: 0, y: 30, width: 300, height: 200 }, element: null };
      const app = application('/Applications/Deaf.app', 'org.example.deaf', { window });
      mac.installed.push(app);
      const process = mac.launch(app);
      process.hung = true;
      return { name: 'Deaf', end: async () => mac.quit(process.pid) };
    },
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
