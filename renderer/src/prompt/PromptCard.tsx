import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Confirmation, Plan } from '../../../src/contract/console.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { ScrollBox } from '../ScrollBox.tsx';
import { useObservable } from '../use-observable.ts';
import { Answers, type Chosen } from './Answers.tsx';
import { createArming } from './arming.ts';
import { Facts } from './Facts.tsx';
import { Headline } from './Headline.tsx';
import { PlanFacts } from './PlanFacts.tsx';
import { askedSteps } from './plan-words.ts';
import { scrollByKeys } from './scroll-keys.ts';
import { TargetPicture } from './TargetPicture.tsx';
import { useAllSeen } from './use-all-seen.ts';
import { WhoAsks } from './WhoAsks.tsx';

type Props = {
  confirmation: Confirmation;
  isAnswering: boolean;
  model: DashboardModel;
  /** The id of the prompt that the person can deny now, kept while a changed prompt is shown anew. */
  deniable: RefObject<string | undefined>;
  chosen: RefObject<Chosen | undefined>;
};

/** One question to the person: everything there is to know about it, in the order of its importance, and the answers. */
export function PromptCard({ confirmation, isAnswering, model, deniable, chosen }: Props) {
  const { id, prompt } = confirmation;
  const plan = confirmation.kind === 'plan' ? confirmation.plan : undefined;
  const { connection } = useObservable(model.feed);
  const [arming] = useState(() => armingOf(confirmation, model, deniable.current === id));
  const seen = useAllSeen(['start', ...partsOf(plan), 'end'], arming.seen);
  const isReachable = connection !== 'lost';
  useLayoutEffect(
    () =>
      arming.subscribe(() => {
        const armed = arming.get();
        deniable.current = armed.state !== 'away' && armed.canDeny ? id : undefined;
      }),
    [arming, deniable, id],
  );
  // Before the browser paints or hands out a key, so that Esc is never dead in between.
  useLayoutEffect(() => {
    const attend = () => arming.attend(isReachable && model.attention.get());
    attend();
    const stop = model.attention.subscribe(attend);
    return () => {
      stop();
      arming.attend(false);
    };
  }, [arming, model, isReachable]);
  return (
    <section className="prompt" role="alertdialog" aria-labelledby="prompt-sentence" data-risk={prompt.risk.level}>
      <ScrollBox className="prompt-body" label="The request" ref={scrollByKeys}>
        <span ref={seen('start')} className="edge" />
        <Headline prompt={prompt} plan={plan} />
        <WhoAsks requester={prompt.requester} device={prompt.device} />
        {prompt.target !== undefined && (
          <TargetPicture confirmationId={confirmation.id} target={prompt.target} model={model} />
        )}
        {plan === undefined ? (
          <Facts prompt={prompt} argumentsEnd={seen('arguments')} />
        ) : (
          <PlanFacts prompt={prompt} plan={plan} seen={seen} />
        )}
        <span ref={seen('end')} className="edge" />
      </ScrollBox>
      <Answers confirmation={confirmation} arming={arming} isAnswering={isAnswering} model={model} chosen={chosen} />
    </section>
  );
}

/**
 * The parts that a person must have seen before an answer: arguments that scroll by themselves, or each step that the plan
 * asks for.
 */
function partsOf(plan: Plan | undefined): string[] {
  return plan === undefined ? ['arguments'] : askedSteps(plan).map(({ id }) => `step ${id}`);
}

function armingOf({ id, prompt }: Confirmation, { client, feed, notices }: DashboardModel, wasDeniable: boolean) {
  return createArming({
    level: prompt.risk.level,
    wasDeniable,
    report: (onScreenMs) => client.shown(id, { openedToEnd: true, onScreenMs }),
    onRefused(failure) {
      notices.outcome({ ok: false, failure });
      void feed.refresh();
    },
  });
}
