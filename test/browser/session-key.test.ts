import { rmSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { openStream } from '../e2e/event-reader.ts';
import { typeCode } from './page-rig.ts';
import { useRealDaemon } from './real-daemon.ts';

const FAKE = { HANDRAIL_AGENT_DRIVER: 'fake' };
const { openPage, current, newCode } = useRealDaemon();

/** A page that has signed in with a code, and the key of its session as a program copies it. */
async function signedIn(base: string, code: string, place = '') {
  const { page } = await openPage();
  await page.goto(`${base}/${place}`);
  await typeCode(page, code);
  await isSignedIn(page);
  const key = await page.evaluate(() => String(sessionStorage.getItem('handrail-session')));
  return { page, copied: { origin: base, authorization: `Bearer ${key}` } };
}

function isSignedIn(page: Page): Promise<void> {
  return page.getByRole('navigation').first().waitFor();
}

/** The same at the daemon that the tests share. */
async function signedInHere(place?: string) {
  const { daemon } = current();
  return { daemon, ...(await signedIn(daemon.base, await newCode(), place)) };
}

test.each(['', '#/overview'])('A27: a page that is loaded again at "/%s" stays signed in', async (place) => {
  const { page } = await signedInHere(place);
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 401) refused.push(answer.url());
  });
  await page.reload();
  await isSignedIn(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('This page: opened').waitFor();
  expect(refused).toEqual([]);
});

test('A27: the key that is copied out of a page that is open opens nothing, and a call of the page is good once', async () => {
  const { daemon, page, copied } = await signedInHere();
  const status = await daemon.call('/api/console/status', { headers: copied });
  expect(status).toMatchObject({ status: 401, body: { reason: 'proof_missing' } });
  await expect(openStream(`${daemon.base}/api/console/events`, copied)).rejects.toThrow();
  const sent = page.waitForRequest((request) => request.url().includes('/api/console/grants'));
  await page.reload();
  const answered = await (await sent).response();
  const headers = await (await sent).allHeaders();
  expect([answered?.status(), headers['x-handrail-proof']]).toEqual([
    200,
    expect.stringMatching(/^\d+\.\w{64}\.\w{128}$/),
  ]);
  const overheard = {
    authorization: String(headers.authorization),
    'x-handrail-proof': String(headers['x-handrail-proof']),
  };
  const again = await daemon.call('/api/console/grants', { headers: overheard });
  expect(again).toMatchObject({ status: 401, body: { reason: 'proof_replayed' } });
  await isSignedIn(page);
});

test('a look that the browser sends twice does not sign the person out', async () => {
  const { page } = await signedInHere();
  let sent = 0;
  // As Chromium does when its connection breaks before an answer: the same bytes again.
  await page.route('**/api/console/grants**', async (route) => {
    sent += 1;
    if (sent === 1) await route.fetch();
    await route.fulfill({ response: await route.fetch() });
  });
  await page.reload();
  await expect.poll(() => sent).toBeGreaterThan(1);
  await isSignedIn(page);
  await page.getByRole('link', { name: 'Access' }).click();
  await page.getByRole('heading', { name: 'Access', exact: true }).waitFor();
});

test('A27: no script of the page can read the private key', async () => {
  const { page } = await signedInHere();
  const exported = await page.evaluate(async () => {
    const answer = (request: IDBRequest) =>
      new Promise<unknown>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const opening = indexedDB.open('handrail');
    await answer(opening);
    const kept = Object(await answer(opening.result.transaction('keys').objectStore('keys').get('kept')));
    const formats = ['pkcs8', 'jwk'] as const;
    const outcomes = formats.map((format) =>
      crypto.subtle.exportKey(format, kept[0].key).then(
        () => 'read',
        (error: Error) => error.name,
      ),
    );
    return [kept.length, kept[0].key.extractable, ...(await Promise.all(outcomes))];
  });
  expect(exported).toEqual([1, false, 'InvalidAccessError', 'InvalidAccessError']);
});

test('A27: a page stays signed in over a restart of the daemon, and its copied key still opens nothing', async () => {
  const first = await startDaemonProcess(FAKE);
  onTestFinished(() => rmSync(first.dataDirectory, { recursive: true, force: true }));
  const { page, copied } = await signedIn(first.base, first.signInCode);
  first.kill('SIGTERM');
  await first.exited;
  const second = await startDaemonProcess({ ...FAKE, HANDRAIL_PORT: String(first.port) }, first.dataDirectory);
  onTestFinished(second.stop);
  const status = await second.call('/api/console/status', { headers: copied });
  expect(status).toMatchObject({ status: 401, body: { reason: 'proof_missing' } });
  await page.reload();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('This page: opened').waitFor();
});

test('A27: a tab that the person duplicates is signed in too, and both go on', async () => {
  const { page } = await signedInHere();
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => void window.open('/'));
  const other = await opened;
  for (const each of [page, other]) {
    await isSignedIn(each);
    await each.getByRole('link', { name: 'Settings' }).click();
    await each.getByText('This page: opened').waitFor();
  }
});
