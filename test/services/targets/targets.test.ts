import { expect, test } from 'vitest';
import type { Control } from '../../../src/contract/screen.ts';
import type { LostTarget, Target, TargetReference } from '../../../src/contract/targets.ts';
import type { AttemptOutcome } from '../../../src/services/agent/port.ts';
import type { Question } from '../../../src/services/agent/questions.ts';
import { createTargets, seenIn } from '../../../src/services/targets/targets.ts';
import { done, notDone, startServices } from '../rig.ts';

const MINUTE_MS = 60_000;
const BOUNDS = { x: 0, y: 0, width: 8, height: 6 };
const IDENTITY = { device: '1', inode: '2' };

const CONTROL: Control = {
  app: { appName: 'Notes', alsoKnownAs: [], risks: [] },
  pid: 1,
  windowId: 'window-1',
  windowTitle: 'notes',
  role: 'button',
  name: 'Save',
  bounds: BOUNDS,
  isPassword: false,
  isEditable: false,
  isOwn: false,
};

const app = (name: string): TargetReference => ({ kind: 'app', name });
const window = (windowId: string): TargetReference => ({ kind: 'window', windowId });
const path = (at: string): TargetReference => ({ kind: 'path', path: at });
const into = (at: string): TargetReference => ({ kind: 'path', path: at, into: true });

/** What an agent finds that has everything. */
function found(reference: TargetReference): Target {
  switch (reference.kind) {
    case 'app':
      return { ...reference, app: { appName: reference.name, alsoKnownAs: [], risks: [] } };
    case 'window':
      return { ...reference, window: { id: reference.windowId, app: 'Notes', pid: 1, title: 'notes', bounds: BOUNDS } };
    case 'path':
      return {
        ...reference,
        file: { path: reference.path, realPath: reference.path, kind: 'file', identity: IDENTITY, folder: IDENTITY },
      };
    case 'element':
    case 'focus':
      return { ...reference, control: CONTROL };
    case 'point':
      return { ...reference, control: CONTROL, at: { x: reference.x, y: reference.y } };
    case 'opener':
      return { ...reference, app: CONTROL.app };
  }
}

type Answer = (references: readonly TargetReference[]) => AttemptOutcome | undefined;

const everything: Answer = (references) => done({ data: { targets: references.map(found) } });

function start(answer: Answer = everything) {
  const rig = startServices();
  const asked: TargetReference[][] = [];
  const patience: unknown[] = [];
  const agent = { answer };
  const targets = createTargets(
    { ...rig, newId: () => 'act_x', log: console },
    {
      async ask({ parameters, patienceMs }: Question) {
        const references = parameters.references as TargetReference[];
        asked.push(references);
        patience.push(patienceMs);
        return agent.answer(references);
      },
    },
  );
  return { ...rig, agent, asked, patience, targets };
}

test('all references of an action are one question, and each is asked about once', async () => {
  const { asked, targets } = start();
  const references = [into('/a'), path('/b'), window('w'), app('Notes'), path('/b')];
  const seen = seenIn(await targets.sight(references), references);
  expect(asked).toEqual([references.slice(0, 4)]);
  expect(seen).toEqual({ targets: references.map(found), lost: undefined });
});

test('an action without targets asks nothing', async () => {
  const { asked, targets } = start();
  expect([await targets.sight([]), targets.remembered([]), asked]).toEqual([new Map(), new Map(), []]);
});

test('one question has 64 references and one place to look into at most, and time for each', async () => {
  const { asked, patience, targets } = start();
  const references = Array.from({ length: 65 }, (_each, index) => window(`${index}`));
  await targets.sight([...references, into('/a'), into('/b'), path('/c')]);
  expect(asked.map(({ length }) => length)).toEqual([64, 2, 2]);
  expect(patience).toEqual([9_300, 3_100, 3_100]);
});

test('an app is remembered for a minute, a window and a path never', async () => {
  const { asked, clock, targets } = start();
  const references = [app('Notes'), window('w'), path('/a')];
  await targets.sight(references);
  expect(targets.remembered([app('Notes')])).toEqual(new Map([['["app","Notes"]', found(app('Notes'))]]));
  expect(targets.remembered(references)).toBeUndefined();
  clock.advance(MINUTE_MS - 1);
  await targets.sight(references);
  clock.advance(1);
  await targets.sight(references);
  expect(asked).toEqual([references, references.slice(1), references]);
});

test('after an app was found to be another one, none is remembered', async () => {
  const { asked, targets } = start();
  await targets.sight([app('Notes')]);
  targets.forget();
  await targets.sight([app('Notes')]);
  expect(asked).toHaveLength(2);
});

test('a thousand apps are remembered, and then the oldest is forgotten', async () => {
  const { targets } = start();
  for (let count = 0; count < 1_001; count += 1) await targets.sight([app(`${count}`)]);
  expect([targets.remembered([app('0')]), targets.remembered([app('1')])]).toEqual([undefined, expect.any(Map)]);
});

test('an app that is lost is not remembered, since the person may install it', async () => {
  const { agent, targets } = start();
  const lost: LostTarget = { kind: 'lost', reference: app('Notes'), code: 'app_not_found', message: 'No such app.' };
  agent.answer = () => done({ data: { targets: [lost] } });
  expect(seenIn(await targets.sight([app('Notes')]), [app('Notes')])).toEqual({ targets: [], lost });
  agent.answer = everything;
  expect(seenIn(await targets.sight([app('Notes')]), [app('Notes')])).toMatchObject({ targets: [{ kind: 'app' }] });
});

test.each<[string, AttemptOutcome | undefined, string]>([
  ['says nothing', undefined, 'agent_unavailable'],
  ['fails', notDone({ code: 'busy' }), 'busy'],
  ['answers in another form', done({ data: { windows: [] } }), 'internal_error'],
  ['answers about another target', done({ data: { targets: [found(path('/b'))] } }), 'internal_error'],
  ['answers about one too few', done({ data: { targets: [] } }), 'internal_error'],
])('where the agent %s, the target is lost', async (_what, outcome, code) => {
  const { targets } = start(() => outcome);
  const { lost, targets: seen } = seenIn(await targets.sight([path('/a')]), [path('/a')]);
  expect([lost?.code, lost?.reference, seen]).toEqual([code, path('/a'), []]);
});
