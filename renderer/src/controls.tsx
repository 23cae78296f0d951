import { type ReactNode, type RefCallback, useId } from 'react';
import { VisibleText } from './VisibleText.tsx';
import { visibleText } from './visible-text.ts';

/** The × of a card or a message. `label`: its name for assistive technology. */
export function CloseButton({ label, className = 'quiet', onClose }: Props) {
  return (
    <button type="button" className={className} aria-label={label} onClick={onClose}>
      ×
    </button>
  );
}

type Props = { label: string; className?: string; onClose(): void };

type ScrollBoxProps = { className: string; label: string; children: ReactNode; ref?: RefCallback<HTMLElement> };

/** A part of the page with its own scroll bar. It takes the focus, because some browsers scroll by keyboard only what has the focus. */
export function ScrollBox({ className, label, children, ref }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1 wants what scrolls to be reachable by keyboard
    <section ref={ref} className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** Why a field was not taken, beside it; read out when it comes. The field names it with `aria-describedby`. */
export function FieldFault({ id, fault }: { id: string; fault: string | undefined }) {
  return (
    <span id={id} role="alert" className="field-fault">
      {fault !== undefined && <VisibleText>{fault}</VisibleText>}
    </span>
  );
}

/** The properties of the field that a fault is about. */
export function faultOf(id: string, fault: string | undefined) {
  return fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id };
}

type SwitchProps = { label: string; hint?: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** A setting that is on or off and takes effect at once. */
export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
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

type ChoiceProps<Value> = {
  label: string;
  value: Value | undefined;
  /** Each with its words. */
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
};

/** A field with a list of choices. */
export function Choice<Value extends string | number>({ label, value, options, onChange }: ChoiceProps<Value>) {
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
