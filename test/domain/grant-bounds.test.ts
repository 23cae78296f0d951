import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { Assessment } from '../../src/domain/catalogue/definition.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { grantArguments, grantSentence, mayStand } from '../../src/domain/grant.ts';

type Parameters = Record<string, unknown>;

const LOOK = { format: 'text', contents: true };
const POINT = { frameId: 'f', x: 1, y: 1 };
const SCRIPT = { interpreter: 'sh', script: 'echo one' };

/** For each type a call, and for each parameter a call in which that one is another. */
const CALLS: Record<string, [Parameters, Record<string, Parameters>?]> = {
  Click: [{ elementId: '@1' }],
  CloseWindow: [{ windowId: 'w1' }],
  DescribeScreen: [
    LOOK,
    {
      contents: { format: 'text' },
      display: { ...LOOK, display: 'HDMI-1' },
      maxElements: { ...LOOK, maxElements: 10 },
      format: { contents: true },
      depth: { ...LOOK, depth: 'overview' },
      region: { ...LOOK, region: 'w1' },
      bounds: { ...LOOK, bounds: true },
      since: { ...LOOK, since: 'abcd1234' },
      settle: { ...LOOK, settle: true },
    },
  ],
  Drag: [{ from: POINT, to: POINT }],
  FocusWindow: [{ windowId: 'w1' }],
  InvokeMenu: [{ windowId: 'w1', path: ['File'] }],
  ListFiles: [{ path: '/a' }],
  ListWindows: [{}, {}],
  MinimizeWindow: [{ windowId: 'w1' }],
  MoveFile: [{ from: '/a', to: '/b' }],
  MovePointer: [POINT],
  MoveWindow: [{ windowId: 'w1', bounds: { x: 0, y: 0, width: 9, height: 9 } }],
  OpenApp: [{ appName: 'mousepad' }, { appName: { appName: 'gedit' } }],
  OpenUrl: [{ url: 'https://example.org/' }],
  PressKeys: [{ keys: 'a' }],
  QuitApp: [{ appName: 'mousepad' }, { appName: { appName: 'gedit' } }],
  ReadClipboard: [{}, {}],
  ReadFile: [{ path: '/a' }],
  RequestAccess: [{ apps: ['mousepad'], allow: 'look', minutes: 5 }],
  RunScript: [
    SCRIPT,
    {
      interpreter: { ...SCRIPT, interpreter: 'bash' },
      script: { ...SCRIPT, script: 'echo two' },
      folder: { ...SCRIPT, folder: '/a' },
      network: { ...SCRIPT, network: ['example.org'] },
      writes: { ...SCRIPT, writes: ['/b'] },
      env: { ...SCRIPT, env: { A: 'b' } },
      okExitCodes: { ...SCRIPT, okExitCodes: [1] },
    },
  ],
  Scroll: [{ ...POINT, dy: 1 }],
  SetValue: [{ elementId: '@1', value: 'a' }],
  TakeScreenshot: [
    {},
    {
      display: { display: 'HDMI-1' },
      region: { region: { x: 0, y: 0, width: 9, height: 9 } },
      windowId: { windowId: 'w1' },
      format: { format: 'jpeg' },
      maxWidth: { maxWidth: 400 },
      maxEdge: { maxEdge: 400 },
      maxPixels: { maxPixels: 400 },
      marks: { marks: true },
      quality: { quality: 50 },
    },
  ],
  TrashFile: [{ path: '/a' }],
  TypeText: [{ text: 'a' }],
  Wait: [{ durationMs: 1 }, { durationMs: { durationMs: 2 } }],
  WaitFor: [
    { text: 'Done' },
    {
      windowTitle: { windowTitle: 'Done' },
      element: { element: { name: 'Done' } },
      text: { text: 'Gone' },
      gone: { text: 'Done', gone: true },
      stableMs: { text: 'Done', stableMs: 500 },
    },
  ],
  WriteClipboard: [{ text: 'a' }],
  WriteFile: [{ path: '/a', content: 'a' }],
};

function assessed(actionType: string, parameters: Parameters): Assessment {
  const found = CATALOGUE.get(actionType)?.assess(parameters);
  if (found?.ok !== true) throw new Error(`${actionType} ${JSON.stringify(parameters)} does not fit`);
  return found.assessment;
}

/** The arguments of a grant for a call, and all that the person is told before it is given. */
function given(actionType: string, parameters: Parameters) {
  const assessment = assessed(actionType, parameters);
  const { covers, sentence, risk, capability, changes, showsContents, denialTarget, isIrreversible } = assessment;
  const subject = { userId: 'ann', does: sentence, deviceName: 'Desk', covers: covers?.words };
  return {
    bound: grantArguments({ actionType, parameters }, covers),
    stands: mayStand(assessment),
    coversMore: covers !== undefined,
    told: [grantSentence('always', subject), risk, capability, changes, showsContents, denialTarget, isIrreversible],
  };
}

test('the calls below are about each action type there is', () => {
  expect(Object.keys(CALLS)).toEqual([...CATALOGUE.keys()]);
});

test.each([...CATALOGUE.values()])('a grant for $name covers a narrower call, and never a wider one', (definition) => {
  const { name, narrowing, parameters: schema } = definition;
  const [call, others] = CALLS[name] ?? [{}];
  const own = given(name, call);
  if (others === undefined) {
    expect({ stands: own.stands, narrowing }).toEqual({ stands: false, narrowing: [] });
    return;
  }
  const known = Type.IsObject(schema) ? Object.keys(schema.properties) : [];
  expect(Object.keys(others).toSorted()).toEqual(known.toSorted());
  for (const [parameter, changed] of Object.entries(others)) {
    const other = given(name, changed);
    // A grant for the one never covers the other where the person is told something else.
    if (other.stands && other.bound === own.bound) expect(other.told, parameter).toEqual(own.told);
    if (narrowing.includes(parameter)) expect(other, parameter).toEqual(own);
    else if (!own.coversMore) expect(other.bound, parameter).not.toBe(own.bound);
  }
});
