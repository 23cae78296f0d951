import { type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react';
import type { Confirmation, Plan, Prompt, QueuedConfirmation } from '../../../src/contract/console.ts';
import { dangersOf } from '../../../src/contract/dangers.ts';
import { hasText, mustOpen, mustShowArguments, titleOf } from '../../../src/contract/first-layer.ts';
import { MOST_NOTE } from '../../../src/contract/times.ts';
import { ScrollBox } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { HomeContext, withHome } from '../VisibleText.tsx';
import { isGivenFocus } from './AnswerButtons.tsx';
import { Answers, type Chosen } from './Answers.tsx';
import { Evidence, isDense } from './Evidence.tsx';
import { Dangers, Facts } from './Facts.tsx';
import { PlanSteps } from './PlanSteps.tsx';
import { askedSteps, isShortPlan, planCountWords } from './plan-words.ts';
import { Sentence } from './Sentence.tsx';
import { TargetPicture } from './TargetPicture.tsx';
import { useArming, usePromptSeen } from './use-arming.ts';
import { WhoAsks } from './WhoAsks.tsx';

type Props = {
  confirmation: Confirmation;
  /** Other prompts that ask for exactly the same, and get the same answer unless the person leaves them out. */
  equal: readonly QueuedConfirmation[];
  isAnswering: boolean;
  model: DashboardModel;
  /** The id of the prompt that the person can deny now, kept while a changed prompt is shown anew. */
  deniable: RefObject<string | undefined>;
  chosen: RefObject<Chosen | undefined>;
};

/** A part of the height that is scrolled by; `end` and `start` are the ends of everything. */
type Move = number | 'start' | 'end';

const PAGE = 0.9;
const LINE = 0.1;

const MOVES: Record<string, Move> = {
  ' ': PAGE,
  PageDown: PAGE,
  PageUp: -PAGE,
  ArrowDown: LINE,
  ArrowUp: -LINE,
  End: 'end',
  Home: 'start',
};

/**
 * A ref that scrolls its element, the body of a prompt, by the keys that scroll a page, wherever in the prompt the focus is. A box
 * inside of it that scrolls by itself is scrolled to its end on the way.
 */
function scrollByKeys(body: HTMLElement | null): (() => void) | undefined {
  if (body === null) return undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveOf(event);
    if (move === undefined || !isForPrompt(event, body)) return;
    event.preventDefault();
    scroll(body, move);
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}

function moveOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Move | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  return key === ' ' && shiftKey ? -PAGE : MOVES[key];
}

/** Whether a key scrolls the prompt. The browser keeps the keys of a box that scrolls by itself, and of buttons and choices. */
function isForPrompt({ key, target }: KeyboardEvent, body: HTMLElement): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target === document.body || target === body) return true;
  if (body.contains(target) || !body.parentElement?.contains(target)) return false;
  if (key === ' ') return isGivenFocus(target);
  return !(target instanceof HTMLInputElement && key.startsWith('Arrow'));
}

function scroll(body: HTMLElement, move: Move): void {
  const boxes = [...body.querySelectorAll<HTMLElement>('section[tabindex]')];
  if (typeof move === 'number') {
    const box = boxes.find((inner) => isInView(inner, { body, move }) && hasMore(inner, move)) ?? body;
    box.scrollTop += move * box.clientHeight;
  } else {
    for (const box of [body, ...boxes]) box.scrollTop = move === 'end' ? box.scrollHeight : 0;
  }
}

/** Whether the end of a box that is scrolled to is on screen. */
function isInView(inner: HTMLElement, { body, move }: { body: HTMLElement; move: number }): boolean {
  const [{ top, bottom }, view] = [inner.getBoundingClientRect(), body.getBoundingClientRect()];
  const edge = move > 0 ? bottom : top;
  return edge >= view.top - 1 && edge <= view.bottom + 1;
}

function hasMore({ scrollTop, scrollHeight, clientHeight }: HTMLElement, move: number): boolean {
  return move > 0 ? scrollTop + clientHeight < scrollHeight - 1 : scrollTop > 0;
}

/** One question to the person: the few facts that decide it, everything else folded below, and the answers. */
export function PromptCard({ confirmation, equal, isAnswering, model, deniable, chosen }: Props) {
  const { prompt } = confirmation;
  const plan = confirmation.kind === 'plan' ? confirmation.plan : undefined;
  const arming = useArming(confirmation, model, deniable);
  const seen = usePromptSeen({ prompt, plan, equal: equal.map(({ id }) => id), arming });
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const [isMore, setMore] = useState(false);
  const [note, setNote] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggleMore = () => {
    setMore(!isMore);
    setOpened(new Set(isMore ? [] : plan?.steps.map((step) => step.id)));
  };
  const toggleStep = (step: string) =>
    setOpened((before) => new Set(before.has(step) ? [...before].filter((one) => one !== step) : [...before, step]));
  const dangers = dangersOf(prompt, plan);
  const isFolded =
    plan === undefined
      ? (mustShowArguments(prompt) || isDense(prompt)) && !isMore
      : plan.steps.some((step) => mustOpen(step) && !opened.has(step.id));
  return (
    <section className="prompt" role="alertdialog" aria-labelledby="prompt-sentence" data-risk={prompt.risk.level}>
      <ScrollBox className="prompt-body" label="The request" ref={scrollByKeys}>
        <span ref={seen('start')} className="edge" />
        <Headline prompt={prompt} plan={plan} />
        <EqualRequests equal={equal} without={without} onChoose={setWithout} />
        <WhoAsks requester={prompt.requester} />
        <span ref={seen('who')} className="edge" />
        <Dangers dangers={dangers} kind={confirmation.kind} level={prompt.risk.level} />
        {prompt.target !== undefined && (
          <TargetPicture confirmationId={confirmation.id} target={prompt.target} crop={prompt.crop} model={model} />
        )}
        {hasText(prompt) && plan === undefined && (
          <ScrollBox className={isDense(prompt) ? 'prompt-text dense' : 'prompt-text'} label="The text">
            <span ref={seen('text start')} className="edge" />
            <Evidence {...prompt} />
            <span ref={seen('text')} className="edge" />
          </ScrollBox>
        )}
        {plan !== undefined && (
          <ScrollBox className={isShortPlan(plan) ? 'prompt-text steps short' : 'prompt-text steps'} label="The plan">
            <PlanSteps
              plan={plan}
              confirmationId={confirmation.id}
              model={model}
              seen={seen}
              opened={opened}
              onToggle={toggleStep}
            />
          </ScrollBox>
        )}
        <More isOpen={isMore} onToggle={toggleMore}>
          <Facts
            prompt={prompt}
            plan={plan}
            dangers={dangers}
            argumentsEnd={mustShowArguments(prompt) && plan === undefined ? seen('arguments') : undefined}
          />
          <DenialNote note={note} onChange={setNote} />
        </More>
        <span ref={seen('end')} className="edge" />
      </ScrollBox>
      <Answers
        confirmation={confirmation}
        equal={equal.flatMap(({ id }) => (without.has(id) ? [] : id))}
        arming={arming}
        isAnswering={isAnswering}
        isFolded={isFolded}
        model={model}
        chosen={chosen}
        note={note.trim()}
      />
    </section>
  );
}

/** Above so many characters a title takes room and words that the rest of the first layer needs. */
const LONG = 90;

type HeadlineProps = {
  prompt: Prompt;
  plan: Plan | undefined;
};

/** The request in one line, in Handrail's own words. A plan with steps that do not ask says how many do. */
function Headline({ prompt, plan }: HeadlineProps) {
  const isRisky = prompt.risk.level === 'high' || prompt.risk.level === 'critical';
  const title = withHome(titleOf(prompt), useContext(HomeContext));
  return (
    <>
      {isRisky && <p className="risk-band">{prompt.risk.level === 'high' ? 'High risk' : 'Critical risk'}</p>}
      <h1 id="prompt-sentence" data-long={title.length > LONG || undefined}>
        <Sentence>{title}</Sentence>
      </h1>
      {plan !== undefined && askedSteps(plan).length < plan.steps.length && (
        <p className="plan-count">{planCountWords(plan)}</p>
      )}
    </>
  );
}

type EqualRequestsProps = {
  /** The other prompts that ask for exactly what the shown one asks for. */
  equal: readonly QueuedConfirmation[];
  /** The ids of those that the answer leaves to wait. */
  without: ReadonlySet<string>;
  onChoose: (without: ReadonlySet<string>) => void;
};

/** How often the same was asked, and a line for each time, folded. The answer is for the ticked ones; the others wait. */
function EqualRequests({ equal, without, onChoose }: EqualRequestsProps) {
  const [isOpen, setOpen] = useState(false);
  if (equal.length === 0) return null;
  const left = equal.filter(({ id }) => without.has(id)).length;
  const covered = left === 0 ? 'all' : equal.length + 1 - left;
  const toggle = (id: string) =>
    onChoose(new Set(without.has(id) ? [...without].filter((one) => one !== id) : [...without, id]));
  return (
    <div className="plan-count">
      Asked {equal.length + 1} times. Your answer covers {covered} of them.{' '}
      <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Fold' : 'Choose'}
      </button>
      {isOpen && (
        <ul className="ticked-list" aria-label="Requests that the answer covers">
          <li>
            <label>
              <input type="checkbox" checked disabled /> This one
            </label>
          </li>
          {equal.map(({ id, createdAt }) => (
            <li key={id}>
              <label>
                <input type="checkbox" checked={!without.has(id)} onChange={() => toggle(id)} /> Asked at{' '}
                {new Date(createdAt).toLocaleTimeString('en-GB')}
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type MoreProps = { isOpen: boolean; onToggle: () => void; children: ReactNode };

/** The second layer of a prompt: everything else that is known, folded until the person opens it by the button or the key M. */
function More({ isOpen, onToggle, children }: MoreProps) {
  const toggle = useRef(onToggle);
  useEffect(() => {
    toggle.current = onToggle;
  });
  useEffect(() => onKey(() => toggle.current()), []);
  return (
    <div className="more">
      <button
        type="button"
        className="quiet more-button"
        aria-expanded={isOpen}
        aria-keyshortcuts="M"
        onClick={onToggle}
      >
        {isOpen ? 'Less' : 'More'} <kbd>M</kbd>
      </button>
      {isOpen && children}
    </div>
  );
}

function onKey(press: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, repeat, isTrusted, target } = event;
    const isTyping = target instanceof HTMLElement && target.matches('input[type="text"], textarea, select');
    if (key.toLowerCase() !== 'm' || ctrlKey || metaKey || altKey || repeat || !isTrusted || isTyping) return;
    press();
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}

type DenialNoteProps = { note: string; onChange: (note: string) => void };

/** One line that goes to the requester with a denial. */
function DenialNote({ note, onChange }: DenialNoteProps) {
  return (
    <label className="denial-note">
      Say why, with Deny{' '}
      <input
        type="text"
        value={note}
        maxLength={MOST_NOTE}
        placeholder="not that folder"
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
