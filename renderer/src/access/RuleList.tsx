import { useId, useState } from 'react';
import type { ProfileRule } from '../../../src/contract/profile.ts';
import { VisibleText } from '../VisibleText.tsx';
import { type RuleDraft, ruleOf, ruleSentence, VERDICT_WORDS } from './rule-words.ts';

const FRESH: RuleDraft = { verdict: 'ask', apps: '', paths: '', from: '', to: '' };

type Props = {
  rules: readonly ProfileRule[];
  onChange: (rules: ProfileRule[]) => void;
  onProblem: (text: string) => void;
};

/** The rules of a profile for single apps, paths and hours. They are saved with the profile. */
export function RuleList({ rules, onChange, onProblem }: Props) {
  const [draft, setDraft] = useState<RuleDraft>();
  const add = () => {
    if (draft === undefined) return;
    const rule = ruleOf(draft);
    if (typeof rule === 'string') return onProblem(rule);
    onChange([...rules, rule]);
    setDraft(undefined);
  };
  return (
    <fieldset className="rules">
      <legend>Rules</legend>
      <p className="hint">Rules come before the levels of risk. Where several apply, the strictest decides.</p>
      {rules.length > 0 && (
        <ul className="rule-rows">
          {rules.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be the same, and a rule has no other name
            <li key={index}>
              <VisibleText>{ruleSentence(rule)}</VisibleText>
              <button
                type="button"
                className="quiet"
                aria-label={`Remove the rule: ${ruleSentence(rule)}`}
                onClick={() => onChange(rules.filter((each) => each !== rule))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      {draft === undefined ? (
        <button type="button" onClick={() => setDraft(FRESH)}>
          Add a rule…
        </button>
      ) : (
        <RuleFields draft={draft} onChange={setDraft} onAdd={add} onCancel={() => setDraft(undefined)} />
      )}
    </fieldset>
  );
}

type FieldsProps = { draft: RuleDraft; onChange: (draft: RuleDraft) => void; onAdd: () => void; onCancel: () => void };

function RuleFields({ draft, onChange, onAdd, onCancel }: FieldsProps) {
  const id = useId();
  const verdictOf = (value: string) => (value === 'allow' || value === 'block' ? value : 'ask');
  return (
    <div className="rule-fields">
      <label htmlFor={`${id}-verdict`}>An action</label>
      <select
        id={`${id}-verdict`}
        value={draft.verdict}
        onChange={({ target }) => onChange({ ...draft, verdict: verdictOf(target.value) })}
      >
        {Object.entries(VERDICT_WORDS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <Lines label="Apps, one a line" value={draft.apps} onChange={(apps) => onChange({ ...draft, apps })} />
      <Lines
        label="Paths, one a line; * for any name, ** for any folders"
        value={draft.paths}
        onChange={(paths) => onChange({ ...draft, paths })}
      />
      <label htmlFor={`${id}-from`}>From</label>
      <span className="rule-hours">
        <Time id={`${id}-from`} value={draft.from} onChange={(from) => onChange({ ...draft, from })} />
        <label htmlFor={`${id}-to`}>to</label>
        <Time id={`${id}-to`} value={draft.to} onChange={(to) => onChange({ ...draft, to })} />
        <span className="hint">each day, local time</span>
      </span>
      <div className="card-buttons">
        <button type="button" onClick={onAdd}>
          Add the rule
        </button>
        <button type="button" onClick={onCancel}>
          Discard the rule
        </button>
      </div>
    </div>
  );
}

type LinesProps = { label: string; value: string; onChange: (value: string) => void };

function Lines({ label, value, onChange }: LinesProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={2}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    </>
  );
}

function Time({ id, value, onChange }: { id: string; value: string; onChange: (value: string) => void }) {
  return <input id={id} type="time" value={value} onChange={({ target }) => onChange(target.value)} />;
}
