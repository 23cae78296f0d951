import type { ReactNode } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import { type Danger, worstOf } from '../../../src/contract/dangers.ts';
import { Sentence } from './Sentence.tsx';

type Props = { dangers: readonly Danger[]; kind: 'action' | 'plan'; level: Prompt['risk']['level'] };

/** The worst dangers, a line each. Risks that have no band above name their level here, because colour alone is no sign. */
export function Dangers({ dangers, kind, level }: Props) {
  const { shown, more } = worstOf(dangers, kind);
  const hasBand = level === 'high' || level === 'critical';
  return (
    <ul className="dangers" aria-label="Dangers">
      {shown.map((danger, index) => (
        <DangerLine key={`${danger.words} ${danger.at}`} danger={danger}>
          {!hasBand && index === 0 && (
            <>
              <span className="risk">{level} risk</span>{' '}
            </>
          )}
        </DangerLine>
      ))}
      {more > 0 && <li className="hint">+ {more} more</li>}
    </ul>
  );
}

/** The others, for the details. */
export function OtherDangers({ dangers, kind }: Omit<Props, 'level'>) {
  const { shown } = worstOf(dangers, kind);
  return (
    <ul className="dangers">
      {dangers.slice(shown.length).map((danger) => (
        <DangerLine key={`${danger.words} ${danger.at}`} danger={danger} />
      ))}
    </ul>
  );
}

function DangerLine({ danger: { words, at }, children }: { danger: Danger; children?: ReactNode }) {
  return (
    <li>
      {children}
      <Sentence>{words}</Sentence>
      {at !== '' && <span className="noticed-at"> {at}</span>}
    </li>
  );
}
