import { useState } from 'react';
import type { QueuedConfirmation } from '../../../src/contract/console.ts';

type Props = {
  /** The other prompts that ask for exactly what the shown one asks for. */
  equal: readonly QueuedConfirmation[];
  /** The ids of those that the answer leaves to wait. */
  without: ReadonlySet<string>;
  onChoose: (without: ReadonlySet<string>) => void;
};

/** How often the same was asked, and a line for each time, folded. The answer is for the ticked ones; the others wait. */
export function EqualRequests({ equal, without, onChoose }: Props) {
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
