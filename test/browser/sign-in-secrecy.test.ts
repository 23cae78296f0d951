import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { typeCode, usePages } from './page-rig.ts';

const { openPage, openSignedIn } = usePages();

/** The command lines of all processes that have one of these texts in them, as any program on the machine can read them. */
function commandLinesWith(texts: readonly string[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLineOf)
    .filter((line) => texts.some((text) => line.toLowerCase().includes(text.toLowerCase())));
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // The process ended in between.
    return '';
  }
}

function formsOf(code: string): string[] {
  return [code, code.replace('-', '')];
}

/** The addresses that a page asks for. */
function addressesOf(page: Page): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  return addresses;
}

test('A10: a code in the arguments of a process is found, so that the next test can fail', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)', 'qqqq7777'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  await until('it is seen', async () => commandLinesWith(formsOf('QQQQ-7777')).length > 0 || undefined);
});

test('A10: the code is in no command line, address, title, log or clipboard, before and after it signs in', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_LOG_LEVEL: 'trace' });
  onTestFinished(daemon.stop);
  const { page } = await openPage();
  const addresses = addressesOf(page);
  const forms = formsOf(daemon.signInCode);
  const seen = async () => {
    const texts = [...addresses, page.url(), await page.title(), daemon.log(), ...daemon.readyLines.slice(0, 2)];
    return [...commandLinesWith(forms), ...texts.filter((text) => forms.some((form) => text.includes(form)))];
  };
  await page.goto(daemon.base);
  await page.getByLabel('One-use code').waitFor();
  expect(await seen()).toEqual([]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: daemon.base });
  await page.evaluate(() => navigator.clipboard.writeText('copied by the person'));
  await typeCode(page, daemon.signInCode);
  await page.getByText('No requests waiting').waitFor();
  expect(await seen()).toEqual([]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('copied by the person');
  expect(addresses).toContain(`${daemon.base}/api/console/session`);
});

test('A10: a code that is entered again ends the session of the page it opened, and both pages are told', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const thief = await openSignedIn(daemon.base, daemon.signInCode);
  const { page: person } = await openPage();
  await person.goto(daemon.base);
  await typeCode(person, daemon.signInCode);
  await person.getByRole('alert').getByText('This sign-in code was used before').waitFor();
  expect(await person.getByRole('alert').textContent()).toContain('Press Enter in the terminal');
  await thief.getByRole('alert').getByText('Someone used your sign-in code again, so Handrail ended').waitFor();
  expect(await thief.evaluate(() => sessionStorage.length)).toBe(0);
  expect(daemon.log()).toContain('a sign-in code was entered a second time');
});
