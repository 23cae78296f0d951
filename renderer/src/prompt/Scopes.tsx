import type { Confirmation, GrantScope } from '../../../src/contract/console.ts';
import { VisibleText } from '../VisibleText.tsx';
import { SCOPE_WORDS } from './scope-words.ts';

type Props = { scopes: Confirmation['scopes']; chosen: GrantScope; onChoose: (scope: GrantScope) => void };

/**
 * For how long an approval lasts, and the grant it gives, literally. All grants share one place that is as high as the longest of
 * them, so that choosing another scope moves nothing.
 */
export function Scopes({ scopes, chosen, onChoose }: Props) {
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
      <div className="grant-stack" aria-live="polite">
        {scopes.map(({ scope, grant }) => (
          <p key={scope} className="grant-literal" {...(scope !== chosen && { 'aria-hidden': true })}>
            <VisibleText>{grant}</VisibleText>
          </p>
        ))}
      </div>
    </fieldset>
  );
}
