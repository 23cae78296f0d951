import type { Confirmation } from '../../contract/console.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { takeScreenshot } from '../../domain/catalogue/take-screenshot.ts';
import { windowIn } from '../../domain/catalogue/window-words.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import type { AgentQuestions, Question } from '../agent/questions.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

/** A picture in memory. */
export type TargetPicture = { mediaType: string; bytes: Uint8Array };

export type TargetPictures = ReturnType<typeof createTargetPictures>;

/** Twice the width at which the page shows it. */
const WIDTH = 960;
const QUALITY = 70;
const MOST_BYTES = 1_048_576;

type Parts = {
  /** The prompt, while it waits. */
  get(confirmationId: string): Confirmation | Refusal;
  live: Pick<LiveActions, 'get' | 'assessmentOf'>;
  ask: AgentQuestions['ask'];
};

type Region = Pick<Assessment, 'region'>;

/** Whether an action is about one window or one region of the screen, which a prompt about it can show. */
export function targetOf(
  { targets }: Pick<ActionRow, 'targets'>,
  { region }: Region,
): Confirmation['prompt']['target'] {
  if (windowIn(targets) !== undefined) return 'window';
  return region === undefined ? undefined : 'region';
}

/**
 * The picture of the window or region that a prompt is about, for the person who answers it. It is taken when the page asks for it
 * and handed on: nothing of it is stored, and no requester can get it.
 */
export function createTargetPictures({ get, live, ask }: Parts) {
  const underWay = new Map<string, Promise<TargetPicture | Refusal>>();

  async function take(confirmationId: string): Promise<TargetPicture | Refusal> {
    const prompt = get(confirmationId);
    if (isRefusal(prompt)) return prompt;
    const action = prompt.kind === 'action' ? live.get(prompt.action.actionId) : undefined;
    const assessment = action && live.assessmentOf(action);
    const question =
      action && assessment && questionAbout(action, { region: assessment.region ?? prompt.prompt.crop?.region });
    if (question === undefined) return noTarget;
    const outcome = await ask(question);
    // A prompt that has ended meanwhile shows nothing more.
    const now = get(confirmationId);
    return isRefusal(now) ? now : pictureOf(outcome);
  }

  /** Several pages that show one prompt share one picture. */
  return (confirmationId: string): Promise<TargetPicture | Refusal> => {
    const known = underWay.get(confirmationId);
    if (known !== undefined) return known;
    const taking = take(confirmationId).finally(() => underWay.delete(confirmationId));
    underWay.set(confirmationId, taking);
    return taking;
  };
}

function questionAbout({ targets }: ActionRow, { region }: Region): Question | undefined {
  if (targetOf({ targets }, { region }) === undefined) return undefined;
  const window = windowIn(targets);
  const place = window === undefined ? { region } : { windowId: window.id };
  return {
    type: takeScreenshot.name,
    parameters: { ...place, format: 'jpeg', maxWidth: WIDTH, quality: QUALITY },
    // Of a control the person sees the place as it is now. Only a window is captured by what it is.
    targets: window === undefined ? undefined : targets,
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
