import { MOST_NOTE } from '../../../src/contract/denial.ts';

type Props = { note: string; onChange: (note: string) => void };

/** One line that goes to the requester with a denial. */
export function DenialNote({ note, onChange }: Props) {
  return (
    <label className="denial-note">
      Say why, with Deny{' '}
      <input
        type="text"
        value={note}
        maxLength={MOST_NOTE}
        placeholder="not that folder"
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
