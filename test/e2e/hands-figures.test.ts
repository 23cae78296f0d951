import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MetricList } from '../../src/contract/guardian.ts';
import { METRICS } from '../../src/contract/metrics.ts';
import { openPage } from '../desktop/use-hands.ts';
import type { Row } from '../guardian/recording/recording.ts';
import { recount } from '../guardian/recording/recount.ts';
import { shareHands } from './shared.ts';
import { serveSite } from './web-site.ts';

const MINUTE_MS = 60_000;
const listener: RequestListener = (_, response) =>
  response
    .setHeader('content-type', 'text/html; charset=utf-8')
    .end('<title>A form</title><input aria-label="Name"><button>Send</button>');

const site = await serveSite(listener);
afterAll(site.close);
const hands = await shareHands();
const folder = mkdtempSync(join(tmpdir(), 'handrail-figures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

beforeAll(async () => {
  await openPage({ rig: hands.rig, folder }, `http://${site.host}/`);
  await hands.accessTo('chromium', 'input', [site.host]);
});

async function elementId(role: string): Promise<string> {
  const found = await hands.rig.until(`the ${role} is described`, async () =>
    (await hands.look({ contents: true })).elements.find(
      (each) => each.role === role && each.name !== 'Address and search bar',
    ),
  );
  return found.id;
}

async function act(actionType: string, parameters: object, decision: 'allow' | 'deny' = 'allow'): Promise<void> {
  const action = await hands.submit(actionType, parameters);
  if (action.status === 'awaiting_confirmation') await hands.person.answer(decision);
  await hands.ended(action);
}

/** Looks and clicks under an access, prompts that are allowed and denied, waits, and actions that fail. */
async function work(): Promise<void> {
  const field = await elementId('textbox');
  for (let click = 0; click < 12; click += 1) await act('Click', { elementId: field });
  await act('Click', { elementId: await elementId('button') });
  await act('ListWindows', {});
  await act('Wait', { durationMs: 1 });
  for (const [index, decision] of (['allow', 'deny', 'allow', 'allow', 'deny', 'allow'] as const).entries()) {
    await act('TakeScreenshot', { region: { x: 0, y: 0, width: 10 + index, height: 10 } }, decision);
  }
  await act('Click', { elementId: 'gone' });
}

test('460 figures of a daemon with hands in its history are those of a recount of its journal', async () => {
  await work();
  const nowMs = Math.floor(Date.now() / MINUTE_MS + 1) * MINUTE_MS;
  const spans = Array.from({ length: 20 }, (_, index) => ({
    fromMs: nowMs - (1 + (index % 10)) * MINUTE_MS,
    toMs: nowMs - Math.floor(index / 10) * MINUTE_MS,
  })).map((span) => ({ ...span, fromMs: Math.min(span.fromMs, span.toMs - MINUTE_MS) }));
  const answers: MetricList['items'][] = [];
  for (const { fromMs, toMs } of spans) {
    const window = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
    answers.push(
      (await hands.daemon.call<MetricList>(`/api/guardian/metrics?${window}`, { userId: 'ann' })).body.items,
    );
  }
  const rows = journalOf(join(hands.daemon.dataDirectory, 'handrail.db'));
  const apart = answers.flatMap((items, index) => {
    const counted = recount(rows, spans[index] ?? { fromMs: 0, toMs: 0 });
    return items.flatMap(({ type, value, sampleSize }) => {
      const expected = counted[type];
      const tolerance = METRICS[type].kind === 'duration' ? 0.02 * expected + 0.1 : 1e-4;
      const isSame = value === null ? sampleSize < 300 : Math.abs(value - expected) <= tolerance;
      return isSame ? [] : `${index} ${type}: ${value} for ${expected}`;
    });
  });
  expect(answers.flat()).toHaveLength(460);
  expect(answers.flat().filter(({ value }) => value !== null && value > 0).length).toBeGreaterThan(60);
  expect(apart).toEqual([]);
});

function journalOf(path: string): Row[] {
  const database = new Database(path, { readonly: true });
  try {
    const rows = database
      .prepare<
        unknown[],
        {
          seq: number;
          atMs: number;
          kind: string;
          userId: string;
          actionId: string | null;
          confirmationId: string | null;
          metadata: string;
        }
      >(
        `SELECT seq, at_ms AS atMs, kind, user_id AS userId, action_id AS actionId, confirmation_id AS confirmationId, metadata
           FROM journal ORDER BY seq`,
      )
      .all();
    return rows.map(({ actionId, confirmationId, metadata, ...row }) => ({
      ...row,
      ...(actionId !== null && { actionId }),
      ...(confirmationId !== null && { confirmationId }),
      metadata: JSON.parse(metadata),
    }));
  } finally {
    database.close();
  }
}
