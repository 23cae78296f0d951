import { useId } from 'react';
import { nearNames } from '../../../src/contract/near-names.ts';
import { EVERYBODY_ELSE } from '../people/person-rows.ts';
import { visibleText } from '../prompt/visible-text.ts';
import { VisibleText } from '../VisibleText.tsx';

/** A user id as the daemon checks it, or `*` for every requester. */
const USER_ID = '\\*|[A-Za-z0-9._@:+\\-]{1,128}';

type Props = {
  id: string;
  value: string;
  /** User ids. */
  known: readonly string[];
  onChange: (userId: string) => void;
};

/** The requester that a rule is for: one of those that have asked, all of them, or a name that warns that nobody has used it. */
export function RequesterField({ id, value, known, onChange }: Props) {
  const own = useId();
  const isNew = value !== '' && value !== EVERYBODY_ELSE && !known.includes(value);
  const near = isNew ? nearNames(value, known).slice(0, 2) : [];
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
        {known.map((userId) => (
          <option key={userId} value={userId} />
        ))}
        <option value={EVERYBODY_ELSE}>every requester</option>
      </datalist>
      <span id={`${own}-new`} className="unknown-requester" role="status">
        {isNew && (
          <>
            <span aria-hidden="true">▲ </span>No requester is called <VisibleText>{value}</VisibleText> yet. Check the
            name.
          </>
        )}
      </span>
      {near.map((userId) => (
        <button key={userId} type="button" onClick={() => onChange(userId)}>
          Take {visibleText(userId)}
        </button>
      ))}
    </>
  );
}
