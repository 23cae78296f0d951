import type { ReactNode } from 'react';
import type { PersonsProcedure, StepInWords } from '../../../src/contract/procedure.ts';
import { Sentence } from '../prompt/Sentence.tsx';
import { labelOf, linesOf } from './procedure-words.ts';

type Props = { item: PersonsProcedure; label: string; note: (step: StepInWords, number: number) => ReactNode };

/** The numbered steps in words, what is to be said of each, and its expectation folded beside it. */
export function Steps({ item, label, note }: Props) {
  return (
    <ol className="procedure-steps" aria-label={label}>
      {linesOf(item).map(({ number, step, chosen, check }) => (
        <li key={number} data-risk={step.asks ? step.risk : undefined}>
          {number}. <Sentence>{step.sentence}</Sentence>
          {chosen.length > 0 && <span className="hint"> or more: {chosen.map(labelOf).join(', ')}</span>}{' '}
          {note(step, number)}
          {check !== undefined && (
            <details>
              <summary className="hint">Checks afterwards</summary>
              <Sentence>{check.sentence}</Sentence>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
