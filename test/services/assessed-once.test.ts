import { describe, expect, onTestFinished, vi } from 'vitest';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { answerLook } from './looks.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, answerStep, settle, stepsNow, submittedTask } from './tasks-rig.ts';

/** How often the parameters of an action type are checked, and its actions assessed, until the test ends. */
function countedType(name: string): { checks: number; assessments: number } {
  const definition = CATALOGUE.get(name);
  if (definition === undefined) throw new Error(`there is no type ${name}`);
  const counts = { checks: 0, assessments: 0 };
  const { check, assess } = definition;
  const checking = vi.spyOn(definition, 'check').mockImplementation((parameters) => {
    counts.checks += 1;
    const checked = check(parameters);
    if (!checked.ok) return checked;
    return {
      ...checked,
      assess(seen) {
        counts.assessments += 1;
        return checked.assess(seen);
      },
    };
  });
  const assessing = vi.spyOn(definition, 'assess').mockImplementation((...given) => {
    counts.checks += 1;
    counts.assessments += 1;
    return assess(...given);
  });
  onTestFinished(() => {
    checking.mockRestore();
    assessing.mockRestore();
  });
  return counts;
}

/** Parameters that count how often they are brought into canonical form. `JSON.stringify` names the place of a value, and RFC 8785 does not. */
function countedParameters(parameters: Record<string, unknown>) {
  const counts = { canonicalForms: 0 };
  const prototype = {
    toJSON(...place: unknown[]) {
      if (place.length === 0) counts.canonicalForms += 1;
      return { ...this };
    },
  };
  return { counts, parameters: Object.assign(Object.create(prototype), parameters) as Record<string, unknown> };
}

/** The person has rules for apps, so that the apps of each action matter again when it is sent. */
function withRulesForApps(rig: Rig): Rig {
  const byLevel = { low: 'ask', medium: 'ask', high: 'ask', critical: 'ask' } as const;
  rig.services.console.profiles.put({ name: 'office', byLevel, rules: [{ verdict: 'block', apps: ['Chess'] }] });
  rig.services.console.profiles.assign('ann', 'office');
  return rig;
}

/** The page and the menu read everything about an action again and again. */
function readEverywhere({ services: { console } }: Rig): void {
  for (let count = 0; count < 3; count += 1) {
    console.status();
    for (const { id } of console.confirmations.list()) console.confirmations.get(id);
  }
}

const PLACE = { identity: { device: '1', inode: '2' }, folder: { device: '1', inode: '2' } };

/** Submits the reading of a file, and says as the agent where its path leads. */
async function readNotes(rig: Rig): Promise<void> {
  const path = '/home/ann/notes.txt';
  const answer = rig.submit({ actionType: 'ReadFile', parameters: { path } }, { waitMs: 0 });
  await settle();
  await answerLook(rig, { path, realPath: '/data/notes.txt', kind: 'file', ...PLACE });
  await answer;
}

describe('the parameters of an action', () => {
  test('are checked once and brought into canonical form once, from the submission to the dispatch', async () => {
    const rig = withRulesForApps(startServices());
    const type = countedType('OpenApp');
    const { parameters, counts } = countedParameters({ appName: 'Notes' });
    await rig.submit({ actionType: 'OpenApp', parameters }, { idempotencyKey: 'first', waitMs: 0 });
    readEverywhere(rig);
    await answerPrompt(rig, 'allow', 'minutes15');
    expect(rig.agent.sent).toMatchObject([{ actionType: 'OpenApp' }]);
    expect({ ...type, ...counts }).toEqual({ checks: 1, assessments: 1, canonicalForms: 1 });
  });

  test('are brought into canonical form once more by nothing but a request under the same key', async ({ rig }) => {
    const { parameters, counts } = countedParameters({ durationMs: 0 });
    for (let count = 0; count < 2; count += 1)
      await rig.submit({ actionType: 'Wait', parameters }, { idempotencyKey: 'first', waitMs: 0 });
    expect(rig.agent.sent).toHaveLength(1);
    expect(counts).toEqual({ canonicalForms: 2 });
  });
});

describe('an action', () => {
  test.each([
    ['without targets', { actionType: 'Wait', parameters: { durationMs: 0 } }],
    ['on an app', { actionType: 'OpenApp', parameters: { appName: 'Notes' } }],
    ['that asks', { actionType: 'TakeScreenshot', parameters: {} }],
  ])('%s is judged once', async (_what, body) => {
    const rig = startServices();
    const judge = vi.spyOn(rig.services.console.profiles, 'judge' as never);
    await rig.submitted(body);
    expect(judge).toHaveBeenCalledTimes(1);
  });

  test('on a file is judged once, with the place where its path leads', async ({ rig }) => {
    const judge = vi.spyOn(rig.services.console.profiles, 'judge' as never);
    await readNotes(rig);
    expect(judge).toHaveBeenCalledTimes(1);
  });
});

describe('an action that asks, is shown, is allowed and runs', () => {
  test('is assessed once', async () => {
    const rig = withRulesForApps(startServices());
    const counts = countedType('QuitApp');
    const action = await rig.submitted({ actionType: 'QuitApp', parameters: { appName: 'Notes' } });
    readEverywhere(rig);
    await answerPrompt(rig, 'allow');
    readEverywhere(rig);
    expect(rig.services.console.status().underWay).toMatchObject([{ title: 'Quit the app “Notes”' }]);
    await rig.agent.answer(done({ effect: 'confirmed' }));
    expect(rig.services.actions.get('ann', action.actionId)).toMatchObject({ status: 'success' });
    expect(counts).toEqual({ checks: 1, assessments: 1 });
  });

  test('is assessed once, with the place where its path leads', async ({ rig }) => {
    const counts = countedType('ReadFile');
    await readNotes(rig);
    readEverywhere(rig);
    expect(rig.services.console.confirmations.list()).toMatchObject([
      { prompt: { sentence: 'Read “notes.txt” in /data' }, scopes: [{ scope: 'once' }] },
    ]);
    await answerPrompt(rig, 'allow');
    expect(rig.agent.sent.at(-1)).toMatchObject({ actionType: 'ReadFile' });
    expect(counts).toEqual({ checks: 1, assessments: 1 });
  });

  test('is assessed once, and once more for the words without its window that the caller is told', async ({ rig }) => {
    const counts = countedType('TakeScreenshot');
    const answer = rig.submit({ actionType: 'TakeScreenshot', parameters: { windowId: 'w1' } }, { waitMs: 0 });
    await settle();
    const bounds = { x: 0, y: 0, width: 800, height: 600 };
    await answerLook(rig, { id: 'w1', app: 'Mousepad', pid: 1, title: 'notes', bounds });
    expect(await answer).toMatchObject({ action: { details: expect.stringContaining('window “w1”') } });
    readEverywhere(rig);
    await answerPrompt(rig, 'allow');
    expect(rig.agent.sent.at(-1)).toMatchObject({ actionType: 'TakeScreenshot' });
    expect(counts).toEqual({ checks: 1, assessments: 2 });
  });
});

test('an approval of an action on a file counts once, also in a folder that the person allowed', async () => {
  const rig = withRulesForApps(startServices());
  const allowing = rig.services.console.folders.allow({ userId: 'ann', path: '/data', access: 'write' });
  await settle();
  await answerLook(rig, { path: '/data', realPath: '/data', kind: 'folder', ...PLACE });
  expect(await allowing).toMatchObject({ items: [{ path: '/data' }] });
  await readNotes(rig);
  expect(rig.services.console.confirmations.list()).toMatchObject([
    { prompt: { risk: { level: 'low' } }, scopes: [{ scope: 'once' }] },
  ]);
  expect(rig.services.console.confirmations.list()[0]?.scopes).toHaveLength(1);
});

describe('a step of a task', () => {
  test('is assessed once: for the plan that the person is asked about and at its turn', async ({ rig }) => {
    const counts = countedType('QuitApp');
    const quit = { actionType: 'QuitApp', parameters: { appName: 'Notes' } };
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit }]);
    readEverywhere(rig);
    await answerPrompt(rig, 'allow');
    readEverywhere(rig);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'running' });
    expect(counts).toEqual({ checks: 1, assessments: 1 });
  });

  test('is assessed when it is known, if its parameters come from an earlier result', async ({ rig }) => {
    const counts = countedType('Wait');
    const pause = { actionType: 'Wait', parameters: { durationMs: { $from: 'look.data.pauseMs' } } };
    const look = { id: 'look', actionType: 'DescribeScreen', parameters: {} };
    const { taskId } = await submittedTask(rig, [look, { id: 'pause', ...pause, dependsOn: ['look'] }]);
    expect(counts).toEqual({ checks: 0, assessments: 0 });
    await answerStep(rig, taskId, 'look', done({ data: { pauseMs: 5 } }));
    await settle();
    expect(counts).toEqual({ checks: 1, assessments: 1 });
    expect(rig.services.console.confirmations.list()).toMatchObject([{ prompt: { sentence: 'Wait for 5 ms' } }]);
    await answerPrompt(rig, 'allow');
    expect(rig.agent.sent.at(-1)).toMatchObject({ parameters: { durationMs: 5 } });
    expect(counts).toEqual({ checks: 1, assessments: 1 });
  });
});
