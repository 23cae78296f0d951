import type { Confirmation, GrantScope } from '../../../src/contract/console.ts';
import { VisibleText } from '../VisibleText.tsx';
import { SCOPE_WORDS } from './scope-words.ts';

type Props = { scopes: Confirmation['scopes']; chosen: GrantScope; onChoose: (scope: GrantScope) => void };

/** For how long a yes would count, and the grant it would give, literally. */
export function Scopes({ scopes, chosen, onChoose }: Props) {
  const grant = scopes.find(({ scope }) => scope === chosen)?.grant ?? '';
  return (
    <fieldset className="scopes">
      <legend>If you allow</legend>
      {scopes.length > 1 && (
        <div className="scope-choice">
          {scopes.map(({ scope }) => (
            <label key={scope} className="scope">
              <input
                type="radio"
                name="scope"
                value={scope}
                checked={scope === chosen}
                onChange={() => onChoose(scope)}
              />
              {SCOPE_WORDS[scope]}
            </label>
          ))}
        </div>
      )}
      <p className="grant-literal" aria-live="polite">
        <VisibleText>{grant}</VisibleText>
      </p>
    </fieldset>
  );
}
