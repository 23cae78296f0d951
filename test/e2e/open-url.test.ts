import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Task } from '../../src/contract/task.ts';
import { processesWith } from '../desktop/processes.ts';
import { skipAllWithout } from '../runner/skip-without.ts';
import { shareHands } from './shared.ts';
import { serveSite } from './web-site.ts';

/** Access opens addresses only with an app that the person's programs cannot change, so root installs it. */
skipAllWithout('root');

const MARK = ['TEST_OF_OPEN_URL', `${process.pid}`] as const;
const ADDRESS = 'http://news.example.org/today';

const asked: string[] = [];

/** Stands for all of the web: Chromium asks it as its proxy. */
const web = await serveSite((request, response) => {
  const { url = '' } = request;
  if (url.startsWith(ADDRESS)) asked.push(url);
  response.setHeader('content-type', 'text/html').end(`<title>Page ${asked.length}</title>`);
});

const folder = mkdtempSync(join(tmpdir(), 'handrail-open-url-'));
mkdirSync(join(folder, 'applications'));
install('surf', { name: 'Surf', flags: `--proxy-server=${web.host}` });
install('dive', { name: 'Dive', flags: '--incognito' });
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
const environment = { XDG_DATA_DIRS: `${folder}:/usr/local/share:/usr/share`, [MARK[0]]: MARK[1] };
const hands = await shareHands(environment);
const { deviceId } = hands;

beforeEach(() => {
  asked.length = 0;
  opensAddresses('surf');
});

afterAll(async () => {
  for (const { pid } of processesWith(MARK.join('='))) end(pid);
  web.close();
});

/** The flags are in a program: an entry with arguments of its own asks. */
function install(id: string, { name, flags }: { name: string; flags: string }): void {
  const profile = `--no-sandbox --no-first-run --password-store=basic --user-data-dir=${join(folder, `${id}-profile`)}`;
  const program = join(folder, id);
  writeFileSync(program, `#!/bin/sh\nexec /usr/bin/chromium ${profile} ${flags} "$@"\n`, { mode: 0o755 });
  const lines = ['[Desktop Entry]', 'Type=Application', 'Categories=Network;WebBrowser;', `Name=${name}`];
  writeFileSync(join(folder, 'applications', `${id}.desktop`), [...lines, `Exec=${program} %U`, ''].join('\n'));
}

function opensAddresses(id: string): void {
  const entry = `[Default Applications]\nx-scheme-handler/http=${id}.desktop\nx-scheme-handler/https=${id}.desktop\n`;
  writeFileSync(join(folder, 'applications', 'mimeapps.list'), entry);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since it was listed.
  }
}

test('an address asks without access, and the approval opens it with the app that the prompt names', async () => {
  const action = await hands.submit('OpenUrl', { url: ADDRESS });
  expect(action).toMatchObject({ status: 'awaiting_confirmation' });
  const [prompt] = await hands.person.prompts();
  expect(prompt?.prompt.sentence).toBe(`Open “${ADDRESS}” with “Surf”`);
  await hands.person.answer('allow');
  expect(await hands.ended(action)).toMatchObject({ status: 'success', effect: 'confirmed' });
  await hands.rig.until('the page is asked for', () => asked.includes(ADDRESS));
});

test('N18: an address that another app would open by now is not opened', async () => {
  const action = await hands.allowedAfter({ actionType: 'OpenUrl', parameters: { url: ADDRESS } }, async () =>
    opensAddresses('dive'),
  );
  expect(action).toMatchObject({ status: 'failed', effect: 'none', error: { code: 'target_changed' } });
  expect(asked).toEqual([]);
});

test('with access to the browser, an address opens in it without a question, and all others still ask', async () => {
  await hands.accessTo('Surf', 'input', ['news.example.org']);
  const action = await hands.submit('OpenUrl', { url: ADDRESS });
  expect(action).not.toMatchObject({ status: 'awaiting_confirmation' });
  expect(await hands.ended(action)).toMatchObject({ status: 'success' });
  await hands.rig.until('the page is asked for', () => asked.includes(ADDRESS));
  const { port } = new URL(hands.daemon.base);
  const others = [`http://127.0.0.1:${port}/`, `http://news.example.org:${port}/`, ADDRESS.padEnd(201, 'a')];
  for (const url of others) await asks(url);
  opensAddresses('dive');
  await asks(ADDRESS);
  expect(asked).toEqual([ADDRESS]);
});

test('an address in a task is opened after the approval of its plan, which names the app', async () => {
  const steps = [
    { id: 'first', actionType: 'Wait', parameters: { durationMs: 1 } },
    { id: 'second', actionType: 'OpenUrl', parameters: { url: `${ADDRESS}?${'a'.repeat(200)}` }, dependsOn: ['first'] },
  ].map((step) => ({ ...step, targetDeviceId: deviceId }));
  const { body } = await hands.daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body: { steps } });
  const [prompt] = await hands.person.prompts();
  expect(JSON.stringify(prompt)).toContain(' with “Surf”');
  await hands.person.answer('allow');
  await hands.rig.until('the page is asked for', () => asked.length > 0);
  const ended = await hands.rig.until('the task ends', async () => {
    const now = await hands.daemon.call<Task>(`/api/tee/tasks/${body.taskId}`, { userId: 'ann' });
    return now.body.finishedAt !== undefined && now.body;
  });
  expect(ended).toMatchObject({ status: 'success' });
});

async function asks(url: string): Promise<void> {
  const action = await hands.submit('OpenUrl', { url });
  expect(action).toMatchObject({ status: 'awaiting_confirmation' });
  await hands.daemon.call(`/api/tee/actions/${action.actionId}/cancel`, { method: 'POST', userId: 'ann' });
}
