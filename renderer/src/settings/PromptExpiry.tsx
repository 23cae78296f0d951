import { useId } from 'react';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded } from '../use-loaded.ts';

/** How long a request waits for an answer before it expires. */
export function PromptExpiry({ model }: { model: DashboardModel }) {
  const { value, reload } = useLoaded(model, model.client.settings);
  const id = useId();
  if (value === undefined) return null;
  const { promptExpiryMs } = value;
  const change = async (ms: number) => {
    const text = `Requests expire after ${durationWords(ms)} without an answer.`;
    await model.act(model.client.putSettings({ ...value, promptExpiryMs: ms }), text);
    await reload();
  };
  return (
    <section className="section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Requests</h2>
      <div className="field-row">
        <label htmlFor={id}>A request expires without an answer after</label>
        <select id={id} value={promptExpiryMs} onChange={({ target }) => void change(Number(target.value))}>
          {expiryChoices(promptExpiryMs).map((ms) => (
            <option key={ms} value={ms}>
              {durationWords(ms)}
            </option>
          ))}
        </select>
      </div>
    </section>
  );
}

const CHOICES_MS = [30_000, 60_000, 90_000, 120_000, 300_000, 600_000];

/** The times, in milliseconds, that the person can choose from: the usual ones and the present one. */
export function expiryChoices(presentMs: number): number[] {
  return CHOICES_MS.includes(presentMs) ? CHOICES_MS : [...CHOICES_MS, presentMs].toSorted((one, other) => one - other);
}

export function durationWords(ms: number): string {
  return ms < 120_000 ? `${ms / 1_000} seconds` : `${ms / 60_000} minutes`;
}
