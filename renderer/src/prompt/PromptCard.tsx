import { type RefObject, useState } from 'react';
import type { Confirmation, QueuedConfirmation } from '../../../src/contract/console.ts';
import { dangersOf } from '../../../src/contract/dangers.ts';
import { hasText, mustOpen, mustShowArguments } from '../../../src/contract/first-layer.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { ScrollBox } from '../ScrollBox.tsx';
import { Answers, type Chosen } from './Answers.tsx';
import { Dangers } from './Dangers.tsx';
import { DenialNote } from './DenialNote.tsx';
import { isDense } from './dense-text.ts';
import { EqualRequests } from './EqualRequests.tsx';
import { Evidence } from './Evidence.tsx';
import { Facts } from './Facts.tsx';
import { Headline } from './Headline.tsx';
import { More } from './More.tsx';
import { PlanSteps } from './PlanSteps.tsx';
import { isShortPlan } from './plan-words.ts';
import { scrollByKeys } from './scroll-keys.ts';
import { TargetPicture } from './TargetPicture.tsx';
import { useArming } from './use-arming.ts';
import { usePromptSeen } from './use-prompt-seen.ts';
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
