import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver } from '../../agent/drivers/driver.ts';
import type { DriverHarness, MakeHarness, ShownApp } from '../agent/driver-contract.ts';
import { recordPrograms } from './recorded-programs.ts';
import { type RigOnDesktop, startRig } from './rig.ts';
import { installTestApps } from './test-apps.ts';

const DOCUMENT_TEXT = 'Nobody but me shall read this line.';
const PASSWORD = 'correct horse 42';
const RECORDED = ['gnome-calculator', 'sleep', 'sh', 'bash', 'id', 'rm', 'xdg-open'];

const APPS = [
  { id: 'test.Windowless', lines: ['Name=Windowless', 'Exec=sleep 120'] },
  { id: 'test.Deaf', lines: ['Name=Deaf', 'Exec=xterm -class Deaf', 'StartupWMClass=Deaf'] },
  { id: 'test.Broken', lines: ['Name=Broken', 'Exec=/nowhere/to/be/found'] },
];

type Making = {
  makeDriver(environment: NodeJS.ProcessEnv): Driver | Promise<Driver>;
  startDesktop(): Promise<RigOnDesktop & { env: Record<string, string>; close(): Promise<void> }>;
  /** Gives a folder to the account of the desktop. */
  handOver(folder: string): void;
};

const OF_THIS_ACCOUNT: Omit<Making, 'makeDriver'> = { startDesktop: startRig, handOver: () => undefined };

/** Desktops for the duties of a driver, with one that is made for the environment of each. */
export function linuxHarness(makeDriver: Making['makeDriver'], account = OF_THIS_ACCOUNT): MakeHarness {
  const making = { makeDriver, ...account };
  return ({ screen }) => (screen === 'present' ? onDesktop(making) : withoutDisplay(making));
}

async function onDesktop(making: Making): Promise<DriverHarness> {
  const rig = await making.startDesktop();
  const { folder: documents, editorId } = await showPrivateThings(rig, making);
  const harness = await makeHarness({ ...process.env, ...rig.env }, making);
  return {
    ...harness,
    showUnsavedApp: () => showUnsavedApp(rig, editorId),
    showDeafApp: () => showDeafApp(rig),
    async dispose() {
      await harness.dispose();
      await rig.close();
      rmSync(documents, { recursive: true });
    },
  };
}

async function withoutDisplay(making: Making): Promise<DriverHarness> {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...environment } = process.env;
  return makeHarness(environment, making);
}

async function makeHarness(environment: NodeJS.ProcessEnv, { makeDriver, handOver }: Making): Promise<DriverHarness> {
  const programs = recordPrograms(RECORDED);
  const apps = installTestApps(APPS);
  for (const folder of [programs.folder, apps.env.XDG_DATA_HOME]) handOver(folder);
  const before = heldByThisProcess();
  const driver = await makeDriver({ ...environment, ...apps.env, PATH: programs.path });
  return {
    driver,
    app: { name: 'Calculator', misspelled: 'Calculater' },
    windowlessApp: 'Windowless',
    brokenApp: 'Broken',
    documentText: DOCUMENT_TEXT,
    password: PASSWORD,
    showUnsavedApp: notHere,
    showDeafApp: notHere,
    startedPrograms: async () => programs.started(),
    leftovers: async () => difference(heldByThisProcess(), before),
    async dispose() {
      await apps.remove();
      programs.remove();
    },
  };
}

async function notHere(): Promise<never> {
  throw new Error('there is no display to show an app on');
}

/** A text in an editor and a password in a field, each put there by other means than the driver. */
async function showPrivateThings(
  rig: RigOnDesktop,
  { handOver }: Making,
): Promise<{ folder: string; editorId: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-documents-'));
  const file = join(folder, 'note.txt');
  writeFileSync(file, `${DOCUMENT_TEXT}\n`);
  handOver(folder);
  const editor = await rig.open('mousepad', [file]);
  const { window } = await rig.open('zenity', ['--password', '--title=Sign in']);
  await rig.ask('xdotool', 'windowactivate', '--sync', window.id);
  await rig.ask('xdotool', 'type', PASSWORD);
  return { folder, editorId: editor.window.id };
}

async function showUnsavedApp(rig: RigOnDesktop, editorId: string): Promise<ShownApp> {
  await rig.ask('xdotool', 'windowactivate', '--sync', editorId);
  await rig.ask('xdotool', 'type', 'changed');
  await rig.until('the document is changed', async () =>
    (await rig.windows()).some(({ id, title }) => id === editorId && title.startsWith('*')),
  );
  return {
    name: 'Mousepad',
    async end() {
      await rig.ask('xdotool', 'key', 'Escape');
      await rig.until('the question is gone', async () =>
        (await rig.windows()).every(({ title }) => title !== 'Save Changes'),
      );
    },
  };
}

async function showDeafApp(rig: RigOnDesktop): Promise<ShownApp> {
  const { app } = await rig.open('xterm', ['-class', 'Deaf']);
  process.kill(app.pid, 'SIGSTOP');
  return { name: 'Deaf', end: () => app.end() };
}

/** Sockets, pipes and worker threads that keep this process alive. */
function heldByThisProcess(): string[] {
  const kinds = new Set(['PipeWrap', 'TCPSocketWrap', 'ProcessWrap', 'MessagePort', 'Worker']);
  return process.getActiveResourcesInfo().filter((kind) => kinds.has(kind));
}

function difference(now: readonly string[], before: readonly string[]): string[] {
  const left = [...before];
  return now.filter((kind) => {
    const index = left.indexOf(kind);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}
