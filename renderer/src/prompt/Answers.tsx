import { type RefObject, useContext, useLayoutEffect, useState } from 'react';
import type { Confirmation, Decision } from '../../../src/contract/console.ts';
import { titleOf } from '../../../src/contract/first-layer.ts';
import type { TouchAnswer } from '../../../src/contract/shell.ts';
import { MOST_PROMPT_WAIT_MS } from '../../../src/contract/times.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow, useObservable } from '../hooks.ts';
import { countdown } from '../time-words.ts';
import { HomeContext } from '../VisibleText.tsx';
import { AllowButton, DenyButton } from './AnswerButtons.tsx';
import type { Arming, PromptArming } from './arming.ts';
import { type Choice, NO_CHOICE, Scopes } from './Scopes.tsx';
import { accessWords, allowWords, folderWords, isLasting } from './scope-words.ts';

/** How long the person wants an allow to last, whether it allows the folder too, and `of` which action and choices. */
export type Chosen = Choice & { of: string };

type Props = {
  confirmation: Confirmation;
  equal: readonly string[];
  arming: PromptArming;
  isAnswering: boolean;
  /** Whether a part that must be seen is still folded. */
  isFolded: boolean;
  model: DashboardModel;
  /** Stays while a prompt to which a fact was added is shown anew. */
  chosen: RefObject<Chosen | undefined>;
  /** What the person says to the requester with a denial. */
  note: string;
};

/** How presence is proven for a prompt on this page. `elsewhere`: by Touch ID, which this page cannot ask for. */
type PresenceKind = 'none' | 'hold' | 'touch' | 'elsewhere';

type Proof = Pick<Decision, 'presence'>;

function presenceKind(
  { presenceRequired, presenceBy }: Pick<Confirmation, 'presenceRequired' | 'presenceBy'>,
  { app }: Pick<DashboardModel, 'app'>,
): PresenceKind {
  if (!presenceRequired) return 'none';
  if (presenceBy !== 'touchId') return 'hold';
  return app === undefined ? 'elsewhere' : 'touch';
}

/** Completes the proof that the person is here. Undefined when it failed, which is then said. */
async function proofOf(kind: PresenceKind, id: string, model: DashboardModel): Promise<Proof | undefined> {
  switch (kind) {
    case 'none':
      return {};
    case 'hold':
      return (await announced(model, { id, phase: 'release' })) ? { presence: 'hold' } : undefined;
    case 'touch':
      return (await isTouched(model, id)) ? { presence: 'touchId' } : undefined;
    case 'elsewhere':
      return undefined;
  }
}

/** Tells the daemon of a press or its end. False when it was refused, which is then said. */
async function announced(model: DashboardModel, hold: { id: string; phase: 'press' | 'release' }): Promise<boolean> {
  const answer = await model.client.hold(hold.id, hold.phase);
  if (answer.ok) return true;
  model.notices.outcome(answer);
  await model.feed.refresh();
  return false;
}

const TOUCH_WORDS: Record<Exclude<TouchAnswer, 'touched'>, string> = {
  refused: 'Touch ID did not recognize you, or you cancelled. Nothing was allowed.',
  unavailable: 'Touch ID does not work now. You can hold Allow instead.',
  gone: 'That request is over. Nothing was allowed.',
};

async function isTouched({ app, notices, feed }: DashboardModel, confirmationId: string): Promise<boolean> {
  const answer = (await app?.touchId({ confirmationId })) ?? 'unavailable';
  if (answer === 'touched') return true;
  notices.problem(TOUCH_WORDS[answer]);
  await feed.refresh();
  return false;
}

/** How long an allow lasts, how long there is to answer, and the two answers. */
export function Answers({ confirmation, equal, arming, isAnswering, isFolded, model, chosen, note }: Props) {
  const { id, prompt, scopes, expiresAt, actionDigest } = confirmation;
  const armed = useObservable(arming);
  const home = useContext(HomeContext);
  const isReachable = useObservable(model.feed).connection !== 'lost';
  const of = JSON.stringify([id, actionDigest, scopes]);
  const [choice, setChoice] = useState<Choice>(() => (chosen.current?.of === of ? chosen.current : NO_CHOICE));
  const choose = (next: Choice) => {
    setChoice(next);
    chosen.current = { of, ...next };
  };
  const { scope, withFolder, access } = choice;
  const isOver = useNow(250) >= Date.parse(expiresAt);
  const presence = presenceKind(confirmation, model);
  const [isProving, setProving] = useState(false);
  const canAnswer = !isAnswering && !isProving && !isOver;
  const canDeny = canAnswer && armed.state !== 'away' && armed.canDeny;
  const deny = () =>
    void model.desk.answer(confirmation, { decision: 'deny', scope: 'once', equal, ...(note !== '' && { note }) });
  const allow = async () => {
    setProving(true);
    const proof = await proofOf(presence, id, model).finally(() => setProving(false));
    if (proof === undefined) return;
    const folder = withFolder ? prompt.folder : undefined;
    await model.desk.answer(confirmation, {
      decision: 'allow',
      scope,
      equal,
      folder,
      access,
      ...proof,
    });
    arming.restart();
  };
  // The key answers from the moment on at which the button shows that it does.
  useLayoutEffect(() => denyOnEscape(canDeny, deny));
  const [watched] = useState(() => watcher(arming));
  return (
    <footer className="answers">
      <div className="terms">
        <Scopes
          title={titleOf(prompt)}
          scopes={scopes}
          folder={prompt.folder}
          asked={prompt.access}
          chosen={choice}
          onChoose={choose}
        />
        <TimeLeft confirmation={confirmation} equal={equal.length} model={model} />
      </div>
      <div className="buttons" ref={watched}>
        <DenyButton isAlive={canDeny} onDeny={deny} />
        <AllowButton
          words={`${allowWords(scope, { isHeld: presence === 'hold', isLasting: isLasting(scopes) })}${folderWords(withFolder ? prompt.folder : undefined, home)}${accessWords(access)}`}
          arming={armed}
          isAlive={canAnswer && armed.state === 'alive' && presence !== 'elsewhere'}
          mustBeHeld={presence === 'hold'}
          hintId="answer-hint"
          onPress={() => (presence === 'hold' ? announced(model, { id, phase: 'press' }) : Promise.resolve(true))}
          onAllow={() => void allow()}
        />
      </div>
      <p className="hint answer-hint" id="answer-hint">
        {hintFor(armed, { isOver, isReachable, isFolded, presence })}
      </p>
    </footer>
  );
}

/** A ref that keeps an eye on where its element is. */
function watcher(arming: PromptArming) {
  return (element: HTMLElement | null) => (element === null ? undefined : watchPosition(element, arming.moved));
}

/** A key that was held down already when the prompt appeared repeats; it was meant for something else. */
function denyOnEscape(canDeny: boolean, deny: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && event.isTrusted && !event.repeat && canDeny) deny();
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}

/** Calls `onMoved` whenever an element has moved on the screen, for any reason. Returns a function that ends the watch. */
function watchPosition(element: Element, onMoved: () => void): () => void {
  let last = positionOf(element);
  let frame = requestAnimationFrame(look);
  function look(): void {
    const position = positionOf(element);
    if (position !== last) onMoved();
    last = position;
    frame = requestAnimationFrame(look);
  }
  return () => cancelAnimationFrame(frame);
}

function positionOf(element: Element): string {
  const { left, top } = element.getBoundingClientRect();
  return `${Math.round(left)} ${Math.round(top)}`;
}

type TimeLeftProps = { confirmation: Confirmation; equal: number; model: DashboardModel };

const STEP_MS = 250;

/** The time until the request expires, a way to more of it, and the place of this prompt in the queue. */
function TimeLeft({ confirmation, equal, model: { client, act } }: TimeLeftProps) {
  const { id, createdAt, expiresAt, prompt } = confirmation;
  const left = leftMs({ expiresAt, steppedNowMs: useNow(STEP_MS), stepMs: STEP_MS });
  const others = prompt.waiting - 1 - equal;
  const canExtend = left > 0 && Date.parse(expiresAt) < Date.parse(createdAt) + MOST_PROMPT_WAIT_MS;
  return (
    <p className="time-left">
      {others > 0 && `${others} more waiting · `}
      <span role="timer" className={isSoon(left) ? 'soon' : ''}>
        {isSoon(left) ? `Expires in ${countdown(left)}` : `${countdown(left)} left`}
      </span>
      {canExtend && ' '}
      {canExtend && (
        <button type="button" className="extend" onClick={() => void act(client.extend(id))}>
          2 more minutes
        </button>
      )}
    </p>
  );
}

/**
 * The time until a prompt expires, in milliseconds. The page reads its clock in steps, so up to one step more has passed
 * than `steppedNowMs` says. The result leaves that step out, so that the page never promises more time than there is.
 */
export function leftMs(at: { expiresAt: string; steppedNowMs: number; stepMs: number }): number {
  return Date.parse(at.expiresAt) - at.steppedNowMs - at.stepMs; // guard E-23
}

const SOON_MS = 15_000;

/** Whether so little time is left, in milliseconds, that the page says what happens at its end. */
export function isSoon(left: number): boolean {
  return left <= SOON_MS;
}

type Circumstances = { isOver: boolean; isReachable: boolean; isFolded: boolean; presence: PresenceKind };

/** The next thing that the person can do, in one line. */
export function hintFor(arming: Arming, { isOver, isReachable, isFolded, presence }: Circumstances): string {
  if (isOver) return 'Time is up. The request has expired, and nothing was done.';
  if (!isReachable) return "Handrail doesn't respond. You can answer once it is back.";
  switch (arming.state) {
    case 'away':
      return 'Bring this window to the front to answer.';
    case 'partly seen':
      return isFolded ? 'Press M and scroll to unlock Allow.' : 'Scroll to unlock Allow.';
    case 'reporting':
    case 'waiting':
      return 'Allow unlocks in a moment.';
    case 'alive':
      return HOW_TO_ALLOW[presence];
  }
}

const HOW_TO_ALLOW: Record<PresenceKind, string> = {
  none: 'To allow by keyboard: Tab, then hold A.',
  hold: 'Hold 1 s. Keyboard: Tab, then hold A.',
  touch: 'Allow asks for Touch ID. Keyboard: Tab, then hold A.',
  elsewhere: 'Allow this in the Handrail app: it needs Touch ID. You can deny here.',
};
