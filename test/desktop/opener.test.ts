import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDesktopEntries } from '../../agent/drivers/linux/desktop-entries.ts';
import { openerOf } from '../../agent/drivers/linux/input/driver.ts';

let folder: string;
let environment: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-opener-'));
  mkdirSync(join(folder, 'applications'));
  const { PATH } = process.env;
  environment = { PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_DATA_DIRS: folder, XDG_CONFIG_DIRS: folder };
  install('browser', ['Name=Browser', 'Exec=true %U', 'Categories=Network;']);
  install('text-browser', ['Name=Text browser', 'Exec=true %U', 'Terminal=true']);
  install('viewer', ['Name=Viewer', 'Exec=true %F']);
  install('bus', ['Name=Bus', 'DBusActivatable=true']);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function install(id: string, lines: readonly string[]): void {
  const entry = ['[Desktop Entry]', 'Type=Application', ...lines, ''].join('\n');
  writeFileSync(join(folder, 'applications', `${id}.desktop`), entry);
}

async function openerSetTo(id: string, path = environment.PATH) {
  const list = `[Default Applications]\nx-scheme-handler/https=${id}.desktop\n`;
  writeFileSync(join(folder, 'applications', 'mimeapps.list'), list);
  const sources = { entries: createDesktopEntries(environment), environment: { ...environment, PATH: path } };
  const opener = await openerOf('https', { ...sources, signal: new AbortController().signal });
  return opener?.app ?? null;
}

test('the app that is set to open addresses is told by all of its names and with its risks', async () => {
  expect(await openerSetTo('browser')).toMatchObject({
    appName: 'Browser',
    bundleId: 'browser',
    alsoKnownAs: expect.arrayContaining(['browser', 'true']),
    risks: [{ level: 'medium', reason: expect.stringContaining('any program of yours can change') }],
  });
});

test.each([
  ['is not installed', 'gone'],
  ['runs in a terminal', 'text-browser'],
  ['takes no address', 'viewer'],
  ['only D-Bus starts', 'bus'],
])('an app that %s is not told, because Handrail could not start it with the address', async (_what, id) => {
  expect(await openerSetTo(id)).toBeNull();
});

test('without xdg-mime no app is told', async () => {
  expect(await openerSetTo('browser', folder)).toBeNull();
});
