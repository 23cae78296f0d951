import { Quoted } from '../Quoted.tsx';
import { visibleText } from '../visible-text.ts';
import { Choice } from './Choice.tsx';
import type { Leaf, Variable } from './procedure-draft.ts';

type Props = {
  leaf: Leaf;
  number: number;
  /** Absent while the value stays as it is. */
  variable: Variable | undefined;
  propose: () => Variable;
  onChange: (variable: Variable | undefined) => void;
};

const KINDS = [
  ['text', 'any text'],
  ['pattern', 'a text that matches'],
  ['choice', 'one of a list'],
  ['path', 'a path in'],
] as const;
const EXAMPLES = { pattern: '\\d{4}-W\\d{2}', choice: 'one a line', path: '~/Reports', number: '1 to 9' };

/** A value of a step, and whether it differs in each run: then its name and its bound. */
export function ValueOfStep({ leaf: { key, value }, number, variable, propose, onChange }: Props) {
  const label = visibleText(key.slice(key.indexOf('/') + 1).replaceAll('/', ' '));
  const Field = variable?.kind === 'choice' ? 'textarea' : 'input';
  return (
    <div className="procedure-fields">
      <span>
        {label}: <Quoted>{String(value)}</Quoted>
      </span>
      {(typeof value === 'string' || typeof value === 'number') && (
        <label className="choice">
          <input
            type="checkbox"
            role="switch"
            className="switch"
            aria-checked={variable !== undefined}
            checked={variable !== undefined}
            onChange={({ target }) => onChange(target.checked ? propose() : undefined)}
          />
          <span className="visually-hidden">
            Step {number}, {label}:
          </span>
          differs in each run
        </label>
      )}
      {variable !== undefined && (
        <>
          <label className="field">
            Called
            <input
              value={variable.name}
              onChange={({ target }) => onChange({ ...variable, name: target.value })}
              required
              pattern="[a-z][A-Za-z0-9_]{0,31}"
              title="a small letter, then letters, digits and _"
            />
          </label>
          {variable.kind !== 'number' && (
            <Choice
              label="May be"
              value={variable.kind}
              options={KINDS}
              onChange={(kind) => onChange({ ...variable, kind, detail: '' })}
            />
          )}
          {variable.kind !== 'text' && (
            <Field
              aria-label={`Bound of ${variable.name}`}
              value={variable.detail}
              required
              placeholder={EXAMPLES[variable.kind]}
              spellCheck={false}
              onChange={({ target }: { target: { value: string } }) => onChange({ ...variable, detail: target.value })}
            />
          )}
        </>
      )}
    </div>
  );
}
