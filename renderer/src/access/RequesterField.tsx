import { useId } from 'react';
import type { Requester } from '../../../src/contract/console-status.ts';
import { VisibleText } from '../VisibleText.tsx';

/** A user id as the daemon checks it, or `*` for every requester. */
const USER_ID = '\\*|[A-Za-z0-9._@:+\\-]{1,128}';
const EVERYBODY = '*';

type Props = {
  id: string;
  value: string;
  known: readonly Pick<Requester, 'userId'>[];
  onChange: (userId: string) => void;
};

/** The requester that a rule is for: one of those that have asked, all of them, or a name that warns that nobody has used it. */
export function RequesterField({ id, value, known, onChange }: Props) {
  const own = useId();
  const isNew = value !== '' && value !== EVERYBODY && !known.some(({ userId }) => userId === value);
  return (
    <>
      <input
        id={id}
        list={`${own}-known`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        required
        pattern={USER_ID}
        placeholder="requester, or * for all"
        title="a requester, or * for every requester"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${own}-new`}
      />
      <datalist id={`${own}-known`}>
        {known.map(({ userId }) => (
          <option key={userId} value={userId} />
        ))}
        <option value={EVERYBODY}>every requester</option>
      </datalist>
      <span id={`${own}-new`} className="hint" role="status">
        {isNew && (
          <>
            No requester is called <VisibleText>{value}</VisibleText> yet. Check the name.
          </>
        )}
      </span>
    </>
  );
}
