import { type FormEvent, useId, useState } from 'react';
import type { Profile } from '../../../src/contract/profile.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault, faultOf } from '../FieldFault.tsx';
import { RuleList } from './RuleList.tsx';
import { VERDICT_WORDS } from './rule-words.ts';

type Verdict = Profile['byLevel']['low'];
type Level = keyof Profile['byLevel'];

/** The form of a name, as the daemon checks it. */
const NAME = '[a-z][a-z0-9\\-]{0,39}';
const LEVELS: readonly Level[] = ['low', 'medium', 'high', 'critical'];
const FRESH: Profile = {
  name: '',
  byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'block' },
  rules: [],
};

/** `taken`: names that a new profile may not have. */
type Props = { model: DashboardModel; profile?: Profile; taken?: readonly string[]; onDone: () => void };

/** Makes a profile, or changes one of the person's own. */
export function ProfileForm({ model, profile, taken = [], onDone }: Props) {
  const [draft, setDraft] = useState(profile ?? FRESH);
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
