import { type RefObject, useContext, useLayoutEffect, useState } from 'react';
import type { Confirmation } from '../../../src/contract/console.ts';
import { titleOf } from '../../../src/contract/first-layer.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { HomeContext } from '../home.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { AllowButton } from './AllowButton.tsx';
import type { PromptArming } from './arming.ts';
import { DenyButton } from './DenyButton.tsx';
import { hintFor } from './hint.ts';
import { announced, presenceKind, proofOf } from './presence.ts';
import { type Choice, NO_CHOICE, Scopes } from './Scopes.tsx';
import { accessWords, allowWords, folderWords, isLasting } from './scope-words.ts';
import { TimeLeft } from './TimeLeft.tsx';

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
      ...(access && { access }),
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
