import { expect, test } from 'vitest';
import { ANTHROPIC, anthropicResult } from '../../src/computer-use/anthropic.ts';
import { GEMINI } from '../../src/computer-use/gemini.ts';
import { OPENAI } from '../../src/computer-use/openai.ts';
import { createPerform, type Outcome, type Vendor } from '../../src/computer-use/perform.ts';
import { told } from '../../src/computer-use/words.ts';
import { type PerformParams, PICTURE_PLACE, RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { TargetReference } from '../../src/contract/targets.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { controlIn, foundAt } from '../domain/with-access.ts';
import { done, notDone, startServices } from '../services/rig.ts';

const DISPLAY = { id: 'd', name: 'Main', primary: true, bounds: { x: 0, y: 0, width: 2000, height: 1000 }, scale: 1 };

const QUESTIONS: readonly string[] = [RESOLVE_TARGETS, PICTURE_PLACE];

/** A vendor's loop over real services: the person allows everything, and the test plays the agent. */
function startLoop(vendor: Vendor) {
  const rig = startServices();
  rig.agent.show([DISPLAY]);
  rig.services.console.profiles.assign('ann', 'trusted');
  const perform = createPerform({ services: rig.services, platform: 'linux', nowMs: rig.clock.nowMs });
  const performed: [string, unknown][] = [];
  return {
    performed,
    /** Makes a call; `fails` names the action type that the agent fails at. */
    async call(member: string, input: object = {}, { fails }: { fails?: string } = {}): Promise<Outcome> {
      const caller = { userId: 'ann', gone: new AbortController().signal };
      let outcome: Outcome | undefined;
      const ended = perform(vendor, { member, input: { ...input } }, caller).then((found) => {
        if (isRefusal(found)) throw new Error(found.detail);
        outcome = found;
      });
      const seen = new Set<PerformParams>(rig.agent.sent);
      for (let round = 0; round < 50 && outcome === undefined; round += 1) {
        await rig.sent();
        for (const params of rig.agent.sent.filter((each) => !seen.has(each))) {
          seen.add(params);
          if (!QUESTIONS.includes(params.actionType)) performed.push([params.actionType, params.parameters]);
          await rig.agent.answer(answerTo(params, fails), params);
        }
      }
      await ended;
      if (outcome === undefined) throw new Error('the call has not ended');
      return outcome;
    },
    rig,
  };
}

function answerTo({ actionType, parameters }: PerformParams, fails: string | undefined) {
  const { references = [] } = Object(parameters);
  const control = controlIn('Mousepad', { role: 'textbox', isEditable: true });
  if (actionType === RESOLVE_TARGETS)
    return done({ data: { targets: references.map((reference: TargetReference) => foundAt(reference, control)) } });
  if (actionType === fails) return notDone({ code: 'display_unavailable', message: 'No display.' });
  if (actionType !== 'TakeScreenshot') return done({ data: { delivered: 'yes', safeToRepeat: false } });
  const { maxWidth } = Object(parameters);
  const size = { width: maxWidth, height: maxWidth / 2 };
  const { bounds } = DISPLAY;
  return done({ data: { ...size, format: 'png', scale: maxWidth / bounds.width, bounds, displays: [DISPLAY] } });
}

const pictureType = 'TakeScreenshot';
const types = ({ performed }: ReturnType<typeof startLoop>) => performed.map(([type]) => type);

test('a loop of Anthropic clicks where its picture shows it, and a later click without coordinates stays there', async () => {
  const loop = startLoop(ANTHROPIC);
  const early = await loop.call('left_click', { coordinate: [10, 10] });
  expect(early).toMatchObject({ kind: 'unfit', fault: expect.stringContaining('take a screenshot first') });
  await loop.call('screenshot');
  const [[, asked] = []] = loop.performed;
  const scale = 2000 / Object(asked).maxWidth;
  await loop.call('mouse_move', { coordinate: [700, 300] });
  await loop.call('double_click');
  await loop.call('type', { text: 'one' });
  const place = { x: 700.5 * scale, y: 300.5 * scale };
  expect(loop.performed.slice(1)).toEqual([
    ['MovePointer', place],
    ['Click', { ...place, button: 'left', count: 2 }],
    ['TypeText', { text: 'one' }],
  ]);
});

test('a call of OpenAI ends with a picture, and the next coordinates belong to that one', async () => {
  const loop = startLoop(OPENAI);
  await loop.call('screenshot');
  await loop.call('click', { x: 720, y: 360, button: 'right' });
  expect(loop.performed[1]).toEqual(['Click', expect.objectContaining({ x: 1000.6944444444445, button: 'right' })]);
  expect(types(loop)).toEqual([pictureType, 'Click', pictureType]);
});

test('a text of Gemini is typed, entered and shown, in this order', async () => {
  const loop = startLoop(GEMINI);
  await loop.call('take_screenshot');
  await loop.call('type_text_at', { x: 500, y: 500, text: 'one' });
  expect(types(loop)).toEqual([pictureType, 'TypeText', 'PressKeys', pictureType]);
});

test('a model whose picture failed after its click is told that the click was done', async () => {
  const loop = startLoop(OPENAI);
  await loop.call('screenshot');
  const outcome = await loop.call('click', { x: 1, y: 1 }, { fails: pictureType });
  if (outcome.kind !== 'failed') throw new Error(`expected a failure, got ${outcome.kind}`);
  expect(outcome.before).toEqual(['Click']);
  const { code, message } = told(outcome, { member: 'click', schema: 'x' });
  expect(code).toBe('display_unavailable');
  expect(message).toContain('Done before that: Click. Do not make the same call again');
});

test('a click of Anthropic says whether the desktop got it', async () => {
  const loop = startLoop(ANTHROPIC);
  await loop.call('screenshot');
  const outcome = await loop.call('left_click', { coordinate: [1, 1] });
  const { content } = anthropicResult({ type: 'tool_use', id: 't', name: 'computer', input: {} }, outcome);
  expect(JSON.stringify(content)).toContain('The desktop got it. Do not repeat it before you took a new look.');
});
