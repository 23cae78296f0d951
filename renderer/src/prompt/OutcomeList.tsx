import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../use-observable.ts';
import { OutcomeCard } from './OutcomeCard.tsx';

/**
 * The latest answers with their outcomes. Beside a prompt they are small and the focus stays with the prompt. Without a prompt
 * they stand in its place, and the focus goes there, so that Undo is the next stop of the keyboard.
 */
export function OutcomeList({ model, isBeside }: { model: DashboardModel; isBeside: boolean }) {
  const outcomes = useObservable(model.outcomes);
  if (outcomes.length === 0) return null;
  return (
    <ul className="outcomes" aria-label="Your latest answers" tabIndex={-1} {...(!isBeside && { ref: takeFocus })}>
      {outcomes.map((outcome, index) => (
        <OutcomeCard key={outcome.confirmationId} outcome={outcome} model={model} isLarge={!isBeside && index === 0} />
      ))}
    </ul>
  );
}

function takeFocus(list: HTMLElement | null): void {
  if (document.activeElement === document.body) list?.focus({ preventScroll: true });
}
