import { createHash } from 'node:crypto';
import type { Action } from '../contract/action.ts';
import type { Device } from '../contract/device.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import type { Point } from '../contract/picture-frames.ts';
import { ScreenshotData } from '../contract/screen.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { Services } from '../services/offered-services.ts';
import { ownDevice } from '../services/own-device.ts';
import type { ArtifactService } from '../services/records/artifacts.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { ActionService, Submission } from '../services/requester-services.ts';
import type { Input, KeptFrame, Members, PictureLimits, Step } from './member.ts';

/** No picture within the limits of a vendor has so many bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Requesters beyond that lose their frame, the one used longest ago first, and are told to take a screenshot. */
const MOST_FRAMES = 1_000;

/** Who calls. `waitMs` absent: held until the end, unless the person is asked. */
type Caller = Pick<Submission, 'userId' | 'gone' | 'program' | 'idempotencyKey' | 'waitMs'>;

export type Vendor = { name: string; members: Members; limits: PictureLimits };

/** One call of a model. `caution`: why its vendor wants a person to look at it; the words are the caller's own. */
export type VendorCall = { member: string; input: Input; caution?: { words: string } | undefined };

/** `isApproved`: the person allowed this very call. `before`: the types of its actions that were done before one failed. */
export type Outcome =
  | { kind: 'unknown' }
  | { kind: 'unavailable'; because: string }
  | { kind: 'unfit'; fault: string }
  | { kind: 'unended'; action: Action }
  | { kind: 'failed'; action: Action; before: readonly string[] }
  | { kind: 'done'; action: Action; picture: Picture | undefined; isApproved: boolean; replayed: boolean };

type Parts = {
  services: Pick<Services, 'actions' | 'devices' | 'artifacts'>;
  platform: NodeJS.Platform;
  nowMs(): number;
};

/** Longer than any action lives; no timer can be set for more. */
const WHOLE_LIFE_MS = 2_147_483_647;
const CAUTION = 'The vendor of the model wants a person to confirm this.';
const MOST_REASON = 500;
const UNENDED: readonly Action['status'][] = ['awaiting_confirmation', 'queued', 'running'];

const isScreenshot = lazyCheck(ScreenshotData);

/** An action of a call, and which of its steps it does. */
type Begun = { index: number; action: Action; replayed: boolean };

type Standing = { index: number; actionId: string };

type StandingCallsParts = {
  get(userId: string, actionId: string): Action | Refusal;
  nowMs(): number;
};

/** A later call wants the screen as it is then. */
const OUTCOME_LASTS_MS = 60_000;
/** More than there can be prompts at one time. */
const MOST_CALLS = 500;

/**
 * If a user repeats a call, the call finds the prompt of the earlier one, and for a minute its outcome. So no second prompt is made and
 * no outcome is lost.
 */
function createStandingCalls({ get, nowMs }: StandingCallsParts) {
  const standing = new Map<string, Standing>();
  const submitting = new Map<string, Promise<void>>();

  function find(key: string, userId: string): Begun | undefined {
    const known = standing.get(key);
    if (known === undefined) return undefined;
    const action = get(userId, known.actionId);
    if (!isRefusal(action) && isFresh(action)) return { index: known.index, action, replayed: false };
    standing.delete(key);
    return undefined;
  }

  function isFresh({ finishedAt }: Action): boolean {
    return finishedAt === undefined || nowMs() - Date.parse(finishedAt) < OUTCOME_LASTS_MS;
  }

  function keep(key: string, { index, action }: Begun): void {
    standing.delete(key);
    standing.set(key, { index, actionId: action.actionId });
    const [oldest] = standing.keys();
    if (standing.size > MOST_CALLS && oldest !== undefined) standing.delete(oldest);
  }

  return {
    /** The step at which an equal call stands, else the one that `submit` begins. Equal calls that come together make one prompt. */
    async begin(key: string, userId: string, submit: () => Promise<Begun | Refusal>): Promise<Begun | Refusal> {
      for (let other = submitting.get(key); other !== undefined; other = submitting.get(key)) await other;
      const known = find(key, userId);
      if (known !== undefined) return known;
      const { promise, resolve } = Promise.withResolvers<void>();
      submitting.set(key, promise);
      try {
        const begun = await submit();
        if (!isRefusal(begun) && begun.action.status === 'awaiting_confirmation') keep(key, begun);
        return begun;
      } finally {
        submitting.delete(key);
        resolve();
      }
    },
    /** The outcome of the call was given. */
    forget(key: string): void {
      standing.delete(key);
    },
    /** The call was answered without an outcome. */
    keep,
  };
}

/** Performs the calls of models on the daemon's own device, one after the other step of each. */
export function createPerform({ services, platform, nowMs }: Parts) {
  const { actions } = services;
  const frames = createFrames();
  const standing = createStandingCalls({ get: actions.get, nowMs });

  function begin(work: Work, index: number): Promise<Begun | Refusal> {
    const isOwn = work.caller.idempotencyKey !== undefined;
    return isOwn
      ? submit(actions, work, index)
      : standing.begin(work.key, work.caller.userId, () => submit(actions, work, index));
  }

  async function done(work: Work, last: Begun, approved: boolean): Promise<Outcome | Refusal> {
    const { caller, steps, key, vendor } = work;
    const picture = await pictureIn(last.action, services.artifacts);
    if (isRefusal(picture)) return picture;
    if (steps[last.index]?.isFrame && isScreenshot(last.action.data)) {
      const { bounds, width, height } = last.action.data;
      const frameId = last.action.data.frame?.frameId;
      frames.keep(frameKey(caller, vendor), { source: bounds, image: { width, height }, frameId });
    }
    standing.forget(key);
    return { kind: 'done', action: last.action, picture, isApproved: approved, replayed: last.replayed };
  }

  /** Does one step. A number is that of the next one. */
  async function advance(work: Work, index: number, approvals: string[]): Promise<Outcome | Refusal | number> {
    const begun = await begin(work, index);
    if (isRefusal(begun)) return begun;
    const action = await held(actions, work, { action: begun.action, nowMs: nowMs() });
    if (isRefusal(action)) return action;
    if (UNENDED.includes(action.status)) {
      standing.keep(work.key, { ...begun, action });
      return { kind: 'unended', action };
    }
    standing.forget(work.key);
    if (action.status !== 'success') return { kind: 'failed', action, before: typesBefore(work, begun.index) };
    const pointer = work.steps[begun.index]?.pointer;
    if (pointer !== undefined) frames.point(frameKey(work.caller, work.vendor), pointer);
    if (actions.wasApproved(work.caller.userId, action.actionId)) approvals.push(action.actionId);
    if (begun.index < work.steps.length - 1) return begun.index + 1;
    return done(work, { ...begun, action }, approvals.length > 0);
  }

  async function run(work: Work): Promise<Outcome | Refusal> {
    const approvals: string[] = [];
    let reached = await advance(work, 0, approvals);
    while (typeof reached === 'number') reached = await advance(work, reached, approvals);
    return reached;
  }

  return async (vendor: Vendor, call: VendorCall, caller: Caller): Promise<Outcome | Refusal> => {
    const member = vendor.members.get(call.member);
    if (member === undefined) return { kind: 'unknown' };
    if ('never' in member) return { kind: 'unavailable', because: member.never };
    const device = ownDevice(caller.userId, { devices: services.devices, platform });
    const steps = member.steps(call.input, {
      limits: vendor.limits,
      platform,
      display: mainDisplay(device),
      frame: undefined,
      pointer: undefined,
      ...frames.of(frameKey(caller, vendor)),
    });
    if ('fault' in steps) return { kind: 'unfit', fault: steps.fault };
    const key = JSON.stringify([caller.userId, vendor.name, canonicalJson({ ...call, caution: call.caution ?? null })]);
    return run({ vendor, call, caller, device, steps, key, startedAtMs: nowMs() });
  };
}

type Work = {
  vendor: Vendor;
  call: VendorCall;
  caller: Caller;
  device: Device;
  steps: readonly Step[];
  /** Equal for the same call of the same user. */
  key: string;
  startedAtMs: number;
};

async function held(
  actions: Pick<ActionService, 'ended'>,
  { caller, startedAtMs }: Work,
  { action, nowMs }: { action: Action; nowMs: number },
): Promise<Action | Refusal> {
  if (!UNENDED.includes(action.status)) return action;
  const asks = action.status === 'awaiting_confirmation';
  const wishedMs = caller.waitMs ?? (asks ? 0 : WHOLE_LIFE_MS);
  const waitMs = Math.min(Math.max(0, startedAtMs + wishedMs - nowMs), WHOLE_LIFE_MS);
  return actions.ended(caller.userId, action.actionId, { waitMs, gone: caller.gone });
}

async function submit(actions: Pick<ActionService, 'submit'>, work: Work, index: number): Promise<Begun | Refusal> {
  const { caller, call, device, steps } = work;
  const step = steps[index];
  if (step === undefined) throw new Error(`the call has no step ${index}`);
  const answer = await actions.submit({
    ...callerOf(caller, index === steps.length - 1 ? undefined : index),
    body: {
      targetDeviceId: device.id,
      actionType: step.actionType,
      parameters: step.parameters,
      ...(call.caution?.words && { reason: call.caution.words.slice(0, MOST_REASON).toWellFormed() }),
    },
    ...(call.caution && { caution: CAUTION }),
  });
  if (isRefusal(answer)) return answer;
  // Only a dry run has no action, and this is none.
  if (answer.kind === 'dryRun') throw new Error('an action was submitted, and the answer is a dry run');
  return { index, action: answer.action, replayed: answer.replayed };
}

function typesBefore({ steps }: Work, index: number): string[] {
  return steps.slice(0, index).map(({ actionType }) => actionType);
}

/** Each step before the last one has an idempotency key of its own, made from that of the call. */
function callerOf({ userId, gone, program, idempotencyKey }: Caller, stepIndex: number | undefined) {
  const key =
    idempotencyKey === undefined || stepIndex === undefined
      ? idempotencyKey
      : createHash('sha256')
          .update(JSON.stringify([stepIndex, idempotencyKey]))
          .digest('hex');
  return {
    userId,
    gone,
    waitMs: 0,
    program,
    idempotencyKey: key,
  };
}

function frameKey({ userId }: Caller, { name }: Vendor): string {
  return JSON.stringify([userId, name]);
}

function mainDisplay({ agent }: Device) {
  const displays = agent?.displays ?? [];
  return (displays.find(({ primary }) => primary) ?? displays[0])?.bounds;
}

type Kept = { frame: KeptFrame; pointer: Point | undefined };

/** The frame of the last whole picture for each user and vendor, and where the last action left the pointer. */
function createFrames() {
  const frames = new Map<string, Kept>();
  return {
    of: (key: string): Partial<Kept> => frames.get(key) ?? {},
    keep(key: string, frame: KeptFrame): void {
      const before = frames.get(key);
      frames.delete(key);
      frames.set(key, { frame, pointer: before && isAlike(before.frame, frame) ? before.pointer : undefined });
      const [oldest] = frames.keys();
      if (frames.size > MOST_FRAMES && oldest !== undefined) frames.delete(oldest);
    },
    point(key: string, pointer: Point): void {
      const kept = frames.get(key);
      if (kept !== undefined) frames.set(key, { ...kept, pointer });
    },
  };
}

/** Whether a pixel of one picture is the same place in the other. */
function isAlike(one: KeptFrame, other: KeptFrame): boolean {
  return JSON.stringify([one.source, one.image]) === JSON.stringify([other.source, other.image]);
}

type Picture = { base64: string; mediaType: string };

/** The picture that an action made, if it made one. */
async function pictureIn(
  { userId, artifacts = [] }: Action,
  service: Pick<ArtifactService, 'open'>,
): Promise<Picture | undefined | Refusal> {
  const artifact = artifacts.find(({ mediaType }) => mediaType.startsWith('image/'));
  if (artifact === undefined) return undefined;
  const content = await service.open(userId, artifact.id);
  if (isRefusal(content)) return content;
  if (content.sizeBytes > MOST_BYTES) {
    content.bytes.destroy();
    return { refused: 'payload_too_large', detail: `The picture has more than ${MOST_BYTES} bytes: ${artifact.url}` };
  }
  const parts: Buffer[] = [];
  for await (const part of content.bytes) parts.push(Buffer.from(part));
  return { base64: Buffer.concat(parts).toString('base64'), mediaType: artifact.mediaType };
}
