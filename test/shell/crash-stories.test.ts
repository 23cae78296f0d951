import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOST_RELOADS } from '../../src/shell/own-page.ts';
import { until } from '../desktop/processes.ts';
import { begin, type Story, whenReady } from './story.ts';

let story: Story;
let actionId: string;

beforeAll(async () => {
  story = await whenReady(await begin());
  ({ actionId } = await story.submit({ actionType: 'TakeScreenshot', parameters: {} }));
  await until('the panel is there', () => story.panel()?.isVisible());
});
afterAll(() => story.end());

/** The page of the panel crashes; answers the panel that has crashed. */
function crash() {
  const panel = story.panel();
  if (panel === undefined) throw new Error('There is no panel.');
  panel.fakeContents.crashes();
  return panel;
}

describe('a prompt whose page crashes', () => {
  test('is shown again in a new panel above everything, and leaves the keys where they are', () => {
    const crashed = crash();
    const panel = story.panel();
    expect([crashed.isDestroyed(), panel === crashed, panel?.isVisible(), panel?.hasFocus]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([panel?.options, panel?.url, panel?.bounds]).toEqual([crashed.options, crashed.url, crashed.bounds]);
  });

  test('ends the session of the page that has crashed, and the new page has one of its own', async () => {
    const before = await story.asPerson(story.panel());
    const count = (await story.sessions()).length;
    crash();
    expect((await story.sessions()).length).toBe(count - 1);
    expect(await story.asPerson(story.panel())).not.toEqual(before);
  });

  test('comes as a notification when it goes on crashing, and Review opens the dashboard', () => {
    for (let crashes = 2; crashes < MOST_RELOADS; crashes += 1) crash();
    const notices = story.notices.all.length;
    expect(story.panel()?.isVisible()).toBe(true);
    crash();
    expect([story.panel(), story.notices.all.length]).toEqual([undefined, notices + 1]);
    const dashboard = story.dashboard();
    dashboard?.hide();
    story.notices.all.at(-1)?.emit('click');
    expect([story.panel(), story.dashboard() === dashboard, dashboard?.isVisible(), dashboard?.url]).toEqual([
      undefined,
      true,
      true,
      expect.stringMatching(/#\/requests$/),
    ]);
  });

  test('comes in the dashboard where the system shows no notification', async () => {
    const [waiting] = await story.prompts();
    if (waiting === undefined) throw new Error('There is no prompt.');
    expect(await story.action(actionId)).toMatchObject({ status: 'awaiting_confirmation' });
    await story.answer(waiting, { decision: 'deny' });
    story.notices.fail('UNErrorDomain error 1');
    story.dashboard()?.hide();
    await story.submit({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
    await until('the dashboard is there', () => story.dashboard()?.isVisible());
    expect([story.panel(), story.dashboard()?.calls.at(-1)]).toEqual([undefined, 'showInactive']);
  });

  test('is in the log, and nothing was done', () => {
    expect(story.ledger()).toEqual([]);
    const line = '{"reason":"crashed","wasShown":true},"the page of a window has crashed"';
    expect(story.logged.filter((text) => text.includes(line))).toHaveLength(MOST_RELOADS + 1);
  });
});
