import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver } from '../../agent/drivers/driver.ts';
import { createLinuxDriver } from '../../agent/drivers/linux/driver.ts';
import { type DriverHarness, describeDriver } from '../agent/driver-contract.ts';
import { recordPrograms } from './recorded-programs.ts';
import { type Rig, startRig } from './rig.ts';
import { installTestApps } from './test-apps.ts';

const DOCUMENT_TEXT = 'Nobody but me shall read this line.';
const PASSWORD = 'correct horse 42';
const RECORDED = ['gnome-calculator', 'sleep', 'sh', 'bash', 'id', 'rm', 'xdg-open'];

const APPS = [
  { id: 'test.Windowless', lines: ['Name=Windowless', 'Exec=sleep 120'] },
  { id: 'test.Broken', lines: ['Name=Broken', 'Exec=/nowhere/to/be/found'] },
];

describeDriver('Linux', ({ screen }) => (screen === 'present' ? onDesktop() : withoutDisplay()));

async function onDesktop(): Promise<DriverHarness> {
  const rig = await startRig();
  const documents = await showPrivateThings(rig);
  const harness = makeHarness({ ...process.env, ...rig.env });
  return {
    ...harness,
    async dispose() {
      await harness.dispose();
      await rig.close();
      rmSync(documents, { recursive: true });
    },
  };
}

async function withoutDisplay(): Promise<DriverHarness> {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...environment } = process.env;
  return makeHarness(environment);
}

function makeHarness(environment: NodeJS.ProcessEnv): DriverHarness {
  const programs = recordPrograms(RECORDED);
  const apps = installTestApps(APPS);
  const before = heldByThisProcess();
  const driver: Driver = createLinuxDriver({ ...environment, ...apps.env, PATH: programs.path });
  return {
    driver,
    app: { name: 'Calculator', misspelled: 'Calculater' },
    windowlessApp: 'Windowless',
    brokenApp: 'Broken',
    documentText: DOCUMENT_TEXT,
    password: PASSWORD,
    startedPrograms: async () => programs.started(),
    leftovers: async () => difference(heldByThisProcess(), before),
    async dispose() {
      await apps.remove();
      programs.remove();
    },
  };
}

/** A text in an editor and a password in a field, each put there by other means than the driver. */
async function showPrivateThings(rig: Rig): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-documents-'));
  const file = join(folder, 'note.txt');
  writeFileSync(file, `${DOCUMENT_TEXT}\n`);
  await rig.open('mousepad', [file]);
  const { window } = await rig.open('zenity', ['--password', '--title=Sign in']);
  await rig.ask('xdotool', 'windowactivate', '--sync', window.id);
  await rig.ask('xdotool', 'type', PASSWORD);
  return folder;
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
