import { VisibleText } from './VisibleText.tsx';

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
