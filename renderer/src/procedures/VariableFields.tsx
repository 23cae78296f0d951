import { useId } from 'react';
import { visibleText } from '../prompt/visible-text.ts';
import { Quoted } from '../Quoted.tsx';
import type { Leaf, Variable } from './procedure-draft.ts';

type Props = {
  leaf: Leaf;
  number: number;
  /** Absent while the value stays as it is. */
  variable: Variable | undefined;
  onSwitch: (isOn: boolean) => void;
  onChange: (variable: Variable) => void;
};

const KINDS = { text: 'any text', pattern: 'a text that matches', choice: 'one of a list', path: 'a path in' } as const;
type TextKind = keyof typeof KINDS;

/** A value of a step, and whether it differs in each run: then its name and its bound. */
export function VariableFields({ leaf, number, variable, onSwitch, onChange }: Props) {
  const id = useId();
  const label = visibleText(leaf.label);
  return (
    <div className="procedure-variable">
      <p>
        {label}: <Quoted>{String(leaf.value)}</Quoted>
      </p>
      {typeof leaf.value !== 'boolean' && (
        <label className="choice">
          <input
            type="checkbox"
            role="switch"
            aria-checked={variable !== undefined}
            aria-label={`Step ${number}, ${label}: differs in each run`}
            className="switch"
            checked={variable !== undefined}
            onChange={({ target }) => onSwitch(target.checked)}
          />
          differs in each run
        </label>
      )}
      {variable !== undefined && (
        <fieldset className="procedure-fields">
          <legend className="visually-hidden">
            Step {number}, {label}
          </legend>
          <span className="field">
            <label htmlFor={`${id}-name`}>Called</label>
            <input
              id={`${id}-name`}
              value={variable.name}
              onChange={({ target }) => onChange({ ...variable, name: target.value })}
              required
              pattern="[a-z][A-Za-z0-9_]{0,31}"
              title="a small letter, then letters, digits and _"
              autoComplete="off"
              spellCheck={false}
            />
          </span>
          <BoundFields id={id} variable={variable} onChange={onChange} />
        </fieldset>
      )}
    </div>
  );
}

type BoundProps = { id: string; variable: Variable; onChange: (variable: Variable) => void };

function BoundFields({ id, variable, onChange }: BoundProps) {
  const { kind, detail } = variable;
  if (kind === 'number')
    return (['minimum', 'maximum'] as const).map((end) => (
      <span key={end} className="field">
        <label htmlFor={`${id}-${end}`}>{end === 'minimum' ? 'From' : 'to'}</label>
        <input
          id={`${id}-${end}`}
          type="number"
          step="any"
          required
          value={variable[end]}
          onChange={({ target }) => onChange({ ...variable, [end]: target.value })}
        />
      </span>
    ));
  const shared = {
    'aria-label': KINDS[kind],
    value: detail,
    required: true,
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...variable, detail: target.value }),
  };
  return (
    <span className="field">
      <label htmlFor={`${id}-kind`}>May be</label>
      <select
        id={`${id}-kind`}
        value={kind}
        onChange={({ target }) => onChange({ ...variable, kind: target.value as TextKind, detail: '' })}
      >
        {Object.entries(KINDS).map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      {kind === 'choice' && <textarea rows={3} placeholder="one a line" {...shared} />}
      {kind === 'pattern' && <input placeholder="\d{4}-W\d{2}" {...shared} />}
      {kind === 'path' && <input placeholder="~/Reports" {...shared} />}
    </span>
  );
}
