import { visibleText } from '../visible-text.ts';

type Props<Value> = {
  label: string;
  value: Value | undefined;
  /** Each with its words. */
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
};

/** A field with a list of choices. */
export function Choice<Value extends string | number>({ label, value, options, onChange }: Props<Value>) {
  const choose = (index: number) => options.slice(index, index + 1).map(([chosen]) => onChange(chosen));
  return (
    <label className="field">
      {label}
      <select value={value} onChange={({ target }) => choose(target.selectedIndex)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {visibleText(words)}
          </option>
        ))}
      </select>
    </label>
  );
}
