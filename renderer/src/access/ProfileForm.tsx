import { type FormEvent, useId, useState } from 'react';
import type { Profile, ProfileRule } from '../../../src/contract/profile.ts';
import { FieldFault, faultOf } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';
import { type RuleDraft, ruleOf, ruleSentence, VERDICT_WORDS } from './rule-words.ts';

type Verdict = Profile['byLevel']['low'];
type Level = keyof Profile['byLevel'];

/** The form of a name, as the daemon checks it. */
const NAME = '[a-z][a-z0-9\\-]{0,39}';
const LEVELS: readonly Level[] = ['low', 'medium', 'high', 'critical'];
const FRESH_PROFILE: Profile = {
  name: '',
  byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'block' },
  rules: [],
};

/** `taken`: names that a new profile may not have. */
type Props = { model: DashboardModel; profile?: Profile; taken?: readonly string[]; onDone: () => void };

const FRESH_RULE: RuleDraft = { verdict: 'ask', apps: '', paths: '', from: '', to: '' };

type RuleListProps = {
  rules: readonly ProfileRule[];
  onChange: (rules: ProfileRule[]) => void;
  onProblem: (text: string) => void;
};

/** The rules of a profile for single apps, paths and hours. They are saved with the profile. */
function RuleList({ rules, onChange, onProblem }: RuleListProps) {
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
        <button type="button" onClick={() => setDraft(FRESH_RULE)}>
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

/** Makes a profile, or changes one of the person's own. */
export function ProfileForm({ model, profile, taken = [], onDone }: Props) {
  const [draft, setDraft] = useState(profile ?? FRESH_PROFILE);
  const [isBusy, setIsBusy] = useState(false);
  const [nameFault, setNameFault] = useState<string>();
  const [ruleFault, setRuleFault] = useState<string>();
  const id = useId();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (taken.includes(draft.name)) return setNameFault(`There is a profile ${draft.name} already.`);
    setNameFault(undefined);
    setIsBusy(true);
    const saved = await model.client.putProfile(draft);
    await model.act(Promise.resolve(saved), `The profile ${draft.name} is saved.`);
    setIsBusy(false);
    if (saved.ok) onDone();
  };
  return (
    <form className="card profile-form" onSubmit={save} aria-label={profile ? `Edit ${profile.name}` : 'New profile'}>
      {profile === undefined && (
        <div className="field-row">
          <label htmlFor={id}>Name</label>
          <input
            id={id}
            value={draft.name}
            {...faultOf(`${id}-fault`, nameFault)}
            onChange={({ target }) => setDraft({ ...draft, name: target.value })}
            required
            pattern={NAME}
            title="1 to 40 lower-case letters, digits and -, a letter first"
            autoComplete="off"
            spellCheck={false}
          />
          <FieldFault id={`${id}-fault`} fault={nameFault} />
        </div>
      )}
      <div className="profile-levels">
        {LEVELS.map((level) => (
          <LevelChoice
            key={level}
            level={level}
            verdict={draft.byLevel[level]}
            onChoose={(verdict) => setDraft({ ...draft, byLevel: { ...draft.byLevel, [level]: verdict } })}
          />
        ))}
      </div>
      <RuleList
        rules={draft.rules}
        onChange={(rules) => {
          setRuleFault(undefined);
          setDraft({ ...draft, rules });
        }}
        onProblem={setRuleFault}
      />
      <FieldFault id={`${id}-rule-fault`} fault={ruleFault} />
      <label>
        <input
          type="checkbox"
          checked={draft.requirePlan === true}
          onChange={({ target }) => setDraft({ ...draft, requirePlan: target.checked })}
        />{' '}
        Ask about plans only: block a single action that would ask
      </label>
      <div className="card-buttons">
        <button type="submit" className="primary" aria-disabled={isBusy}>
          Save
        </button>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}

type ChoiceProps = { level: Level; verdict: Verdict; onChoose: (verdict: Verdict) => void };

function LevelChoice({ level, verdict, onChoose }: ChoiceProps) {
  const id = useId();
  const chosen = (value: string) => (Object.keys(VERDICT_WORDS) as Verdict[]).find((each) => each === value) ?? 'ask';
  return (
    <div className="field-row">
      <label htmlFor={id}>
        {level.charAt(0).toUpperCase()}
        {level.slice(1)} risk
      </label>
      <select id={id} value={verdict} onChange={({ target }) => onChoose(chosen(target.value))}>
        {Object.entries(VERDICT_WORDS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
