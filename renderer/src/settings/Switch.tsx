import { useId } from 'react';

type Props = { label: string; hint?: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** A setting that is on or off and takes effect at once. */
export function Switch({ label, hint, isOn, onChange }: Props) {
  const id = useId();
  return (
    <div className="switch-row">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        className="switch"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
