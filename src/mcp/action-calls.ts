import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Sharp } from 'sharp';
import type { Action, Artifact } from '../contract/action.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import { ScreenshotData } from '../contract/screen.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { CATALOGUE } from '../domain/catalogue.ts';
import type { Services } from '../services/offered-services.ts';
import { ownDevice } from '../services/own-device.ts';
import type { ArtifactService } from '../services/records/artifacts.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { Caller, Tell } from './caller.ts';
import type { createFormerCalls } from './former-calls.ts';
import { artifactUri, readArtifact } from './resources.ts';
import {
  asFormer,
  askingWords,
  type Beside,
  doneResult,
  failedResult,
  linkTo,
  progressWords,
  refusedResult,
  waitingResult,
} from './results.ts';

/** A call that may ask the person. `Id` is the id of its action or task. */
type Call<Answer> = {
  /** Equal for the same call of the same user. */
  key: string;
  /** Aborts when the client went away before it had the answer. */
  gone: AbortSignal;
  submit(): Promise<Answer | Refusal>;
  /** The id of the prompt's action or task, if the answer says that the person is asked. */
  promptOf(answer: Answer): string | undefined;
  /** The present answer. It exists while the prompt is open, and until the allowed action or task has ended. */
  standing(id: string): Answer | undefined;
  /** Resolves when the action or task has ended. */
  ended(id: string): Promise<unknown>;
  /** Takes the prompt back. */
  withdraw(id: string): void;
};

/** `holders`: the calls that wait for the prompt or have learned its id. */
type Standing = { submitted: Promise<string | undefined>; holders: Set<AbortSignal> };

/**
 * Joins the same calls of a user: while the prompt of one stands, the next finds it and makes none of its own. A prompt whose id nobody
 * has learned is withdrawn when the last call that waits for it goes away.
 */
export function createStandingCalls() {
  const standing = new Map<string, Standing>();

  async function join<Answer>(call: Call<Answer>): Promise<Answer | Refusal> {
    for (let known = standing.get(call.key); known !== undefined; known = standing.get(call.key)) {
      const id = await known.submitted;
      const answer = id === undefined ? undefined : call.standing(id);
      if (id !== undefined && answer !== undefined) {
        holdPrompt(known, { call, id });
        return answer;
      }
      if (standing.get(call.key) === known) standing.delete(call.key);
    }
    return begin(call);
  }

  async function begin<Answer>(call: Call<Answer>): Promise<Answer | Refusal> {
    const { promise: submitted, resolve } = Promise.withResolvers<string | undefined>();
    const own: Standing = { submitted, holders: new Set() };
    const forget = () => void (standing.get(call.key) === own && standing.delete(call.key));
    standing.set(call.key, own);
    let id: string | undefined;
    try {
      const answer = await call.submit();
      id = isRefusal(answer) ? undefined : call.promptOf(answer);
      if (id !== undefined) holdPrompt(own, { call, id });
      return answer;
    } finally {
      if (id === undefined) forget();
      else void call.ended(id).then(forget, forget);
      resolve(id);
    }
  }

  return { join };
}

/** Lets a call hold the prompt until it goes away. One that got its answer never does, and so the prompt stays. */
function holdPrompt<Answer>({ holders }: Standing, { call, id }: { call: Call<Answer>; id: string }): void {
  const { gone } = call;
  const leave = () => {
    holders.delete(gone);
    if (holders.size === 0) call.withdraw(id); // guard M5-1
  };
  holders.add(gone);
  if (gone.aborted) leave();
  else gone.addEventListener('abort', leave, { once: true });
}

export type CallParts = {
  services: Pick<
    Services,
    'actions' | 'tasks' | 'procedures' | 'devices' | 'artifacts' | 'ownAccess' | 'whenDenialChanges'
  >;
  standing: ReturnType<typeof createStandingCalls>;
  formerCalls: ReturnType<typeof createFormerCalls>;
  nowMs(): number;
  platform: NodeJS.Platform;
};

/** As much as the parameters of one action may have over HTTP. */
const MOST_BYTES = 64 * 1024;

const PROGRESS_EVERY_MS = 5_000;

/** Longer than any action or task lives; no timer can be set for more. */
export const FOR_ITS_WHOLE_LIFE = { waitMs: 2_147_483_647, gone: new AbortController().signal };

type Holding<Found> = {
  /** How long at most. */
  holdMs: number;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
  isOver(found: Found): boolean;
  /** The record once it is over, or after the wait. */
  next(wait: { waitMs: number; gone: AbortSignal }): Promise<Found | Refusal>;
  /** The open prompt of the record, and how to hear at once of a denial of it that can still be undone. */
  promptOf(found: Found): { id: string } | undefined;
  whenDenialChanges(confirmationId: string, callback: () => void): () => void;
  /** Tells the client why its call is held. */
  tell(found: Found, progress: { elapsedMs: number; holdMs: number }): Promise<void>;
  nowMs(): number;
};

/** Holds a call until its action or task is over, for a time that clients allow, and tells how it stands in between. */
export async function hold<Found>(first: Found, holding: Holding<Found>): Promise<Found | Refusal> {
  const { holdMs, gone, nowMs } = holding;
  const startMs = nowMs();
  let found = first;
  for (let elapsedMs = 0; holdMs > 0 && !holding.isOver(found); elapsedMs = nowMs() - startMs) {
    const denial = watchDenial(found, holding);
    try {
      await holding.tell(found, { elapsedMs, holdMs });
      const leftMs = startMs + holdMs - nowMs();
      if (leftMs <= 0 || gone.aborted) return found;
      const waitMs = denial.signal.aborted ? 0 : Math.min(leftMs, PROGRESS_EVERY_MS);
      const next = await holding.next({ waitMs, gone: AbortSignal.any([gone, denial.signal]) });
      if (isRefusal(next)) return next;
      found = next;
    } finally {
      denial.forget();
    }
  }
  return found;
}

/** A signal that aborts when the person denies the open prompt of the record, or takes that back. */
function watchDenial<Found>(found: Found, { promptOf, whenDenialChanges }: Holding<Found>) {
  const changed = new AbortController();
  const prompt = promptOf(found);
  const forget = prompt === undefined ? () => undefined : whenDenialChanges(prompt.id, () => changed.abort());
  return { signal: changed.signal, forget };
}

/** Performs an action for a client on the daemon's own device. */
export async function callAction(
  { actionType, parameters }: { actionType: string; parameters: Record<string, unknown> },
  parts: CallParts,
  { caller, tell }: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const text = canonicalJson(parameters);
  if (Buffer.byteLength(text) > MOST_BYTES) return refusedWith(caller, tooLarge);
  const { actions } = parts.services;
  const { userId, gone, program } = caller;
  const isLasting = CATALOGUE.get(actionType)?.effectClass !== 'pure';
  const { idempotencyKey, former } = parts.formerCalls.keyed<Action>(caller, {
    words: JSON.stringify([actionType, text]),
    isLasting,
    records: actions,
  });
  const found = await parts.standing.join<Action>({
    key: JSON.stringify([userId, actionType, text]),
    gone,
    async submit() {
      if (former !== undefined) return former;
      const body = { targetDeviceId: ownDeviceId(userId, parts), actionType, parameters };
      const answer = await actions.submit({
        userId,
        body,
        waitMs: 0,
        gone,
        program,
        idempotencyKey,
      });
      if (isRefusal(answer)) return answer;
      // Only a dry run has no action, and this is none.
      if (answer.kind === 'dryRun') throw new Error('an action was submitted, and the answer is a dry run');
      return answer.action;
    },
    promptOf: ({ actionId, status }) => (status === 'awaiting_confirmation' ? actionId : undefined),
    standing: (id) => unended(actions.get(userId, id)),
    ended: (id) => actions.ended(userId, id, FOR_ITS_WHOLE_LIFE),
    withdraw(id) {
      const now = actions.get(userId, id);
      if (!isRefusal(now) && now.status === 'awaiting_confirmation') actions.cancel(userId, id);
    },
  });
  if (isRefusal(found)) return refusedWith(caller, found);
  parts.formerCalls.made(found.actionId, { idempotencyKey }, caller, actions);
  const outcome = await outcomeOf(found, parts, { caller, tell });
  return former?.finishedAt === undefined ? outcome : asFormer(outcome, former.createdAt);
}

/** Waits for an action of the caller's own, and gives its result. */
export async function waitForAction(
  actionId: string,
  parts: CallParts,
  by: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const found = parts.services.actions.get(by.caller.userId, actionId);
  return isRefusal(found) ? refusedWith(by.caller, found) : outcomeOf(found, parts, by);
}

/** The id of the device that stands for this computer. */
export function ownDeviceId(userId: string, { services, platform }: Pick<CallParts, 'services' | 'platform'>): string {
  return ownDevice(userId, { devices: services.devices, platform }).id;
}

export function refusedWith(caller: Caller, refusal: Refusal): CallToolResult {
  caller.refused(refusal);
  return refusedResult(refusal);
}

/** Vendors scale larger pictures down, and clients refuse larger results. */
const PICTURE_LIMITS: PictureLimits = { longEdge: 1_568, base64Bytes: 900_000 };

/** No screen has more pixels; a larger picture is not decoded. */
const MOST_PIXELS = 100_000_000;
const QUALITIES = [85, 70, 50];
const SMALLEST_EDGE = 200;

let queue: Promise<unknown> = Promise.resolve();

const isScreenshot = lazyCheck(ScreenshotData);

/** The artifacts of an action: each picture as a model can take it, with its scale, and a link to each whole artifact. */
async function artifactsOf(action: Action, artifacts: ArtifactService): Promise<Beside> {
  const all = await Promise.all((action.artifacts ?? []).map((artifact) => shown(action, artifact, artifacts)));
  return { lines: all.flatMap(({ lines }) => lines), blocks: all.flatMap(({ blocks }) => blocks) };
}

async function shown(action: Action, artifact: Artifact, artifacts: ArtifactService): Promise<Beside> {
  const link = linkTo(artifactUri(artifact.id), artifact);
  if (!artifact.mediaType.startsWith('image/')) return { lines: [], blocks: [link] };
  const content = await readArtifact(artifacts, action.userId, artifact.id);
  if (isRefusal(content)) return { lines: [`${content.refused}: ${content.detail}`], blocks: [] };
  try {
    const picture = await shownPicture({ ...artifact, bytes: content.bytes });
    const image = { type: 'image', data: picture.base64, mimeType: picture.mediaType } as const;
    return { lines: [scaleWords(picture, artifact, action.data)], blocks: [image, link] };
  } catch {
    return { lines: ['The picture cannot be shown here; the link has the whole one.'], blocks: [link] };
  }
}

/** How a point in the picture becomes the point that an action takes. */
function scaleWords({ width, height }: ShownPicture, whole: Artifact, data: unknown): string {
  const size = `The picture is ${width} × ${height} px`;
  const ofWhole = width === whole.width ? '' : `, scaled down from ${whole.width} × ${whole.height} px`;
  if (!isScreenshot(data)) return `${size}${ofWhole}.`;
  const { x, y } = data.bounds;
  const unit = Number((data.bounds.width / width).toFixed(4));
  return `${size}${ofWhole}. Its top left is ${x}, ${y} on the desktop, and 1 px in it is ${unit} of the desktop's units.${frameWords(width, whole)}`;
}

/** A frame counts in the pixels of the whole picture. */
function frameWords(width: number, whole: Artifact): string {
  if (width === whole.width) return '';
  return ` With its frameId, multiply x and y by ${Number((whole.width / width).toFixed(4))}.`;
}

/** A picture as a model gets it. */
type ShownPicture = { base64: string; mediaType: string; width: number; height: number };

type PictureLimits = { longEdge: number; base64Bytes: number };

type Original = { bytes: Buffer; mediaType: string; width: number; height: number };

/**
 * The picture within the limits: as it is where it fits, else smaller and as JPEG. One at a time, since each takes the memory of its
 * pixels. Rejects when the bytes are no picture.
 */
export function shownPicture(original: Original, limits: PictureLimits = PICTURE_LIMITS): Promise<ShownPicture> {
  const { bytes, mediaType, width, height } = original;
  if (Math.max(width, height) <= limits.longEdge && base64Length(bytes) <= limits.base64Bytes)
    return Promise.resolve({ base64: bytes.toString('base64'), mediaType, width, height });
  const scaled = queue.then(() => scaledDown(bytes, limits));
  queue = scaled.catch(() => undefined);
  return scaled;
}

async function scaledDown(bytes: Buffer, { longEdge, base64Bytes }: PictureLimits): Promise<ShownPicture> {
  // The library is large, and many daemons never need it.
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
  for (let edge = longEdge; edge >= SMALLEST_EDGE; edge = Math.floor(edge * 0.7)) {
    const fitting = picture.clone().resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
    const found = await encoded(fitting, base64Bytes);
    if (found !== undefined) return found;
  }
  throw new Error('the picture cannot be made small enough');
}

async function encoded(picture: Sharp, base64Bytes: number): Promise<ShownPicture | undefined> {
  for (const quality of QUALITIES) {
    const { data, info } = await picture.clone().jpeg({ quality }).toBuffer({ resolveWithObject: true });
    if (base64Length(data) <= base64Bytes)
      return { base64: data.toString('base64'), mediaType: 'image/jpeg', width: info.width, height: info.height };
  }
  return undefined;
}

function base64Length({ byteLength }: Buffer): number {
  return Math.ceil(byteLength / 3) * 4;
}

async function outcomeOf(
  first: Action,
  { services, nowMs, formerCalls }: CallParts,
  { caller, tell }: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const { userId, hurry, holdMs } = caller;
  const action = await hold(first, {
    holdMs,
    gone: hurry,
    isOver: hasEnded,
    promptOf: ({ confirmation }) => confirmation,
    whenDenialChanges: services.whenDenialChanges,
    next: (wait) => services.actions.ended(userId, first.actionId, wait),
    tell: (found, progress) => tell(progressWords(found, nowMs()), progress),
    nowMs: () => performance.now(),
  });
  if (isRefusal(action)) return refusedWith(caller, action);
  if (!hasEnded(action)) return waitingResult(action, askingWords(action, nowMs()));
  formerCalls.answered(action.actionId, caller);
  if (action.status !== 'success') return failedResult(action);
  return doneResult(action, await artifactsOf(action, services.artifacts));
}

const UNENDED: readonly Action['status'][] = ['awaiting_confirmation', 'queued', 'running'];

function hasEnded({ status }: Action): boolean {
  return !UNENDED.includes(status);
}

function unended(found: Action | Refusal): Action | undefined {
  return isRefusal(found) || hasEnded(found) ? undefined : found;
}

const tooLarge: Refusal = {
  refused: 'payload_too_large',
  detail: `The arguments of this call may have ${MOST_BYTES} bytes; these have more. Send less.`,
};
