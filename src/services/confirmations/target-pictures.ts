import type { ActionConfirmation, Confirmation, PlanConfirmation, Prompt } from '../../contract/console.ts';
import type { Display } from '../../contract/device.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { takeScreenshot } from '../../domain/catalogue/screen.ts';
import { windowIn } from '../../domain/catalogue/window-words.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import type { Question } from '../agent/questions.ts';
import type { Context } from '../context.ts';
import type { MachineAgent, MachineAgents } from '../machines/agents.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { cropOf } from '../targets/crop.ts';
import type { Plans } from './plans.ts';

/** A picture in memory. */
export type TargetPicture = { mediaType: string; bytes: Uint8Array };

export type TargetPictures = ReturnType<typeof createTargetPictures>;

/** Twice the width at which the page shows it. */
const WIDTH = 1_280;
const QUALITY = 70;
const MOST_BYTES = 1_048_576;

type Parts = {
  /** The prompt, while it waits. */
  get(confirmationId: string): Confirmation | Refusal;
  live: Pick<LiveActions, 'get' | 'assessmentOf'>;
  plans: Pick<Plans, 'stepsOf'>;
  agents: MachineAgents;
};

/** The action or the step of a plan that a picture is of. `region`: the part of the screen that its parameters name. */
type Pictured = Pick<ActionRow, 'targets'> & Pick<Assessment, 'region'>;

/** `deviceId`: where it is. */
type Found = Pictured & Pick<ActionRow, 'deviceId'>;

/** `step`: of a plan. `whole`: the window around the controls, where the picture shows less. */
export type WantedPicture = { step?: string | undefined; whole?: boolean | undefined };

/** The window or region of the screen that an action is about, if there is one, and the part of the screen in its picture. */
export function pictured({ targets, region }: Pictured, displays: readonly Display[]): Pick<Prompt, 'target' | 'crop'> {
  const { crop } = cropOf(targets, displays);
  const target = targetOf({ targets, region: region ?? crop?.region });
  return { target, crop };
}

function targetOf({ targets, region }: Pictured): Prompt['target'] {
  if (windowIn(targets) !== undefined) return 'window';
  return region === undefined ? undefined : 'region';
}

/**
 * The picture of the window or region that a prompt is about, for the person who answers it. It is taken when the page asks for it
 * and handed on: nothing of it is stored, and no requester can get it.
 */
export function createTargetPictures({ store }: Pick<Context, 'store'>, { get, live, plans, agents }: Parts) {
  const underWay = new Map<string, Promise<TargetPicture | Refusal>>();
  /** By machine. A plan may have a hundred pictures. The agent's places are for actions, so it is asked for one after the other. */
  const turns = new Map<string, Promise<unknown>>();

  function ofAction({ action, prompt }: ActionConfirmation, { whole }: WantedPicture): Found | undefined {
    const row = live.get(action.actionId);
    const assessment = row && live.assessmentOf(row);
    if (row === undefined || assessment === undefined) return undefined;
    return { ...row, region: assessment.region ?? partOf(prompt.crop, whole) };
  }

  /** A step that the answer allows. */
  function ofStep({ id, plan }: PlanConfirmation, wanted: WantedPicture): Found | undefined {
    const index = plan.steps.findIndex((step) => step.id === wanted.step && step.consent === 'asked');
    const row = store.tasks.findById(plan.taskId)?.steps[index];
    if (row === undefined) return undefined;
    const part = partOf(plan.steps[index]?.crop, wanted.whole);
    return { ...row, region: plans.stepsOf(id)[index]?.byName?.region ?? part };
  }

  function find(confirmationId: string, wanted: WantedPicture): { agent: MachineAgent; question: Question } | Refusal {
    const prompt = get(confirmationId);
    if (isRefusal(prompt)) return prompt;
    const found = prompt.kind === 'plan' ? ofStep(prompt, wanted) : ofAction(prompt, wanted);
    const question = found && questionAbout(found);
    return found === undefined || question === undefined ? noTarget : { agent: agents.of(found.deviceId), question };
  }

  async function take(confirmationId: string, wanted: WantedPicture): Promise<TargetPicture | Refusal> {
    const found = find(confirmationId, wanted);
    if (isRefusal(found)) return found;
    const outcome = await found.agent.ask(found.question);
    // A prompt that has ended meanwhile shows nothing more.
    const now = get(confirmationId);
    return isRefusal(now) ? now : pictureOf(outcome);
  }

  /** Several pages that show one prompt share one picture. */
  return (confirmationId: string, wanted: WantedPicture = {}): Promise<TargetPicture | Refusal> => {
    const key = JSON.stringify([confirmationId, wanted.step, wanted.whole === true]);
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const found = find(confirmationId, wanted);
    if (isRefusal(found)) return Promise.resolve(found);
    const { machine } = found.agent;
    const before = turns.get(machine);
    const taking = (
      before === undefined ? take(confirmationId, wanted) : before.then(() => take(confirmationId, wanted))
    ).finally(() => underWay.delete(key));
    const turn = taking
      .catch(() => undefined)
      .finally(() => {
        if (turns.get(machine) === turn) turns.delete(machine);
      });
    turns.set(machine, turn);
    underWay.set(key, taking);
    return taking;
  };
}

function partOf(crop: Prompt['crop'], isWhole = false) {
  return (isWhole ? crop?.whole : undefined) ?? crop?.region;
}

function questionAbout(of: Pictured): Question | undefined {
  if (targetOf(of) === undefined) return undefined;
  const window = windowIn(of.targets);
  const place = window === undefined ? { region: of.region } : { windowId: window.id };
  return {
    type: takeScreenshot.name,
    parameters: { ...place, format: 'jpeg', maxWidth: WIDTH, quality: QUALITY },
    // A window is captured by its identity. For a control the picture shows its place on the screen as it is now.
    targets: window === undefined ? undefined : of.targets,
  };
}

function pictureOf(outcome: AttemptOutcome | undefined): TargetPicture | Refusal {
  if (outcome === undefined) return unavailable('The device agent did not answer in time.');
  if (!outcome.ok) return unavailable(outcome.message);
  const [picture] = outcome.attachments;
  if (picture === undefined) return unavailable('The device agent sent none.');
  if (picture.bytes.byteLength > MOST_BYTES) return unavailable(`It has more than ${MOST_BYTES} bytes.`);
  return { mediaType: picture.announced.mediaType, bytes: picture.bytes };
}

const noTarget: Refusal = {
  refused: 'artifact_not_found',
  detail: 'This request is not about one window or region of the screen, so there is no picture of its target.',
};

function unavailable(why: string): Refusal {
  return { refused: 'artifact_not_found', detail: `There is no picture of the target: ${why}` };
}
