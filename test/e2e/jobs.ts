import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { openWindow } from '../browser/chromium.ts';
import type { Rig } from '../desktop/rig.ts';
import type { Console, RunningDaemon } from './daemon.ts';
import { connect, textOf } from './mcp-clients.ts';
import { serveSite } from './web-site.ts';

/** What a job cost: calls and tokens of the model, prompts of the person, and what went wrong. */
export type Cost = { calls: number; prompts: string[]; errors: string[]; tokens: number; seconds: number };
type On = { daemon: RunningDaemon; person: Console; rig: Rig };

/** A client that knows nothing but the tools, and a person who allows whatever is asked. */
async function atWork({ daemon, person }: On, name: string) {
  const { client } = await connect(daemon.base, { door: 'http', protocol: '2026-07-28', name });
  const cost: Cost = { calls: 0, prompts: [], errors: [], tokens: 0, seconds: 0 };
  const startedAtMs = performance.now();
  let userId = '';
  let isOver = false;
  const desk = (async () => {
    while (!isOver) {
      const [asked] = await person.prompts();
      if (asked !== undefined) {
        cost.prompts.push(asked.prompt.sentence);
        userId = asked.prompt.requester.userId;
        await person.answer('allow');
      }
      await pause(100);
    }
  })();
  return {
    userId: () => userId,
    async call(tool: string, parameters: Record<string, unknown> = {}): Promise<string> {
      const result = await client.callTool({ name: tool, arguments: parameters });
      const text = textOf(result);
      cost.calls += 1;
      cost.tokens += encode(`${tool}${JSON.stringify(parameters)}${text}`).length;
      if (result.isError === true) cost.errors.push(`${tool}: ${text}`);
      return text;
    },
    async end(): Promise<Cost> {
      cost.seconds = (performance.now() - startedAtMs) / 1_000;
      isOver = true;
      await desk;
      await client.close();
      return cost;
    },
  };
}

/** `answersAfterMs`: how long the shop thinks about an order. `sent` is called when the order is in, before the browser is closed. */
type Shop = { answersAfterMs?: number; sent?(): Promise<unknown> };

/** Fills the form of a shop and sends the order. */
export async function fillForm(
  on: On,
  { answersAfterMs = 0, sent }: Shop = {},
): Promise<{ orders: string[]; end: string; cost: Cost }> {
  const orders: string[] = [];
  const shop = await serveSite((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here/');
    answer.setHeader('content-type', 'text/html');
    if (pathname !== '/order') return answer.end(FORM);
    orders.push(searchParams.toString());
    return setTimeout(() => answer.end(THANKS), answersAfterMs);
  });
  const browser = await openWindow(on.rig.env);
  const work = await atWork(on, 'form');
  try {
    await browser.page.goto(`http://${shop.host}/`);
    await work.call('request_access', { apps: ['chromium'], allow: 'input', sites: [shop.host], minutes: 10 });
    const [region] = /0x[0-9a-f]+/u.exec(await work.call('list_windows')) ?? [];
    const screen = await work.call('describe_screen', { contents: true, region, settle: true });
    for (const [role, name, value] of WISHES)
      await work.call('set_value', { elementId: referenceIn(screen, role, name), value });
    await work.call('click', { elementId: referenceIn(screen, 'button', 'Send order') });
    await on.rig.until('the window shows the answer', async () =>
      (await on.rig.windows()).some(({ title }) => title.startsWith('Thanks')),
    );
    const end = await work.call('describe_screen', { contents: true, region, settle: true });
    await sent?.();
    return { orders, end, cost: await work.end() };
  } finally {
    await work.end();
    await browser.close();
    shop.close();
  }
}

const FORM = `<title>Order</title><form action="/order"><label>Name <input name="name"></label>
<label>Street <input name="street"></label><label>City <input name="city"></label>
<label>Size <select name="size"><option>Small<option>Large</select></label>
<label>Amount <input name="amount" type="number" value="1"></label>
<label>Gift <input name="gift" type="checkbox"></label><button>Send order</button></form>`;
/** Another colour, so that a picture tells which page it shows. */
const THANKS = '<title>Thanks</title><body style="background:#bfd"><h1>Thank you</h1>';
const WISHES = [
  ['textbox', 'Name', 'Ann Lee'],
  ['textbox', 'Street', '1 Main St'],
  ['textbox', 'City', 'Ghent'],
  ['combobox', 'Size', 'Large'],
  ['spinbutton', 'Amount', '3'],
  ['checkbox', 'Gift', 'on'],
] as const;

/** The reference of the element with this role and name in a described screen. */
function referenceIn(screen: string, role: string, name: string): string {
  const line = screen.split('\n').find((each) => each.trim().startsWith(`${role} ${JSON.stringify(name)}`));
  const [reference] = /@\d+/u.exec(line ?? '') ?? [];
  if (reference === undefined) throw new Error(`there is no ${role} ${name} in:\n${screen}`);
  return reference;
}

/** Writes a letter in an editor, and saves it in a folder that the person has allowed. */
export async function writeLetter(on: On, text: string): Promise<{ saved: string; cost: Cost }> {
  const letters = join(realpathSync(on.rig.env.HOME ?? ''), 'Letters');
  const path = join(letters, 'letter.md');
  mkdirSync(letters);
  const work = await atWork(on, 'letter');
  try {
    await work.call('request_access', { apps: ['Mousepad'], allow: 'input', minutes: 10 });
    await allowFolder(on, { path: letters, userId: work.userId() });
    await work.call('open_app', { appName: 'Mousepad' });
    const editor = await work.call('describe_screen', { settle: true });
    const [, elementId] = /^\s*textbox\b.*(@\d+)/mu.exec(editor) ?? [];
    await work.call('type_text', { elementId, text });
    await work.call('press_keys', { keys: 'ctrl+s' });
    await work.call('type_text', { text: path, clear: true });
    await work.call('press_keys', { keys: 'enter' });
    const saved = await on.rig.until('the letter is saved', async () =>
      existsSync(path) ? readFileSync(path, 'utf8') || undefined : undefined,
    );
    return { saved, cost: await work.end() };
  } finally {
    await work.end();
  }
}

async function allowFolder({ person }: On, { path, userId }: { path: string; userId: string }): Promise<void> {
  const body = { userId, path, access: 'write' };
  const { status } = await person.call('/folders', { method: 'PUT', body });
  if (status !== 200) throw new Error(`the folder was not allowed: ${status}`);
}

const [MOVED, TRASHED] = [
  ['q1.csv', 'q2.csv', 'q3.csv', 'q4.csv'],
  ['draft.tmp', 'old.tmp'],
];

/** Moves four files into a folder, trashes two and writes a summary, in one task. */
export async function tidyFolder(on: On): Promise<{ told: string; names: string[]; cost: Cost }> {
  const reports = join(realpathSync(on.rig.env.HOME ?? ''), 'Reports');
  const at = (name: string) => join(reports, name);
  mkdirSync(at('2025'), { recursive: true });
  for (const name of [...MOVED, ...TRASHED]) writeFileSync(at(name), name);
  const work = await atWork(on, 'folder');
  const actions = [
    ...MOVED.map((name) => ['MoveFile', { from: at(name), to: at(`2025/${name}`) }] as const),
    ...TRASHED.map((name) => ['TrashFile', { path: at(name) }] as const),
    ['WriteFile', { path: at('summary.csv'), content: 'quarter,sum\nq1,10\n' }] as const,
  ];
  const steps = actions.map(([actionType, parameters], index) => ({ id: `step-${index}`, actionType, parameters }));
  const dependsOn = steps.map(({ id }) => id);
  try {
    await work.call('list_files', { path: reports });
    const told = await work.call('submit_task', {
      name: 'Tidy the reports',
      steps: [...steps, { id: 'now', actionType: 'ListFiles', parameters: { path: reports, depth: 2 }, dependsOn }],
    });
    const names = readdirSync(reports, { recursive: true, encoding: 'utf8' }).sort();
    return { told, names, cost: await work.end() };
  } finally {
    await work.end();
  }
}
