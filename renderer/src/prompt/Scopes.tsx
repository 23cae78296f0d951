import type { Confirmation, Decision, GrantScope, Prompt } from '../../../src/contract/console.ts';
import { minutesInWords } from '../../../src/contract/times.ts';
import { ScrollBox } from '../controls.tsx';
import { VisibleText } from '../VisibleText.tsx';
import { Sentence } from './Sentence.tsx';
import { isLasting, SCOPE_WORDS } from './scope-words.ts';

/** How long an approval is to last, and whether it is for the folder of the request as well. */
export type Choice = { scope: GrantScope; withFolder: boolean; access?: Decision['access'] };

export const NO_CHOICE: Choice = { scope: 'once', withFolder: false };

type Props = {
  /** The title of the prompt, which may end with the folder. */
  title: string;
  scopes: Confirmation['scopes'];
  folder: Prompt['folder'];
  /** The access that is asked for. */
  asked: Prompt['access'];
  chosen: Choice;
  onChoose: (choice: Choice) => void;
};

/**
 * For how long an approval lasts, and the grant it gives, literally. All grants share one place that is as high as the longest of
 * them, so that choosing another scope moves nothing. Where an approval can only be for once, the button says so. An approval of an
 * access lasts for the time that was asked for, or for a shorter one.
 */
export function Scopes({ title, scopes, folder, asked, chosen, onChoose }: Props) {
  const { scope: chosenScope, withFolder, access = asked } = chosen;
  const lasting = (
    <>
      {(scopes.length > 1 || isLasting(scopes)) && (
        <fieldset>
          <legend className="visually-hidden">How long an approval lasts</legend>
          {scopes.length > 1 && (
            <div className="scope-choice">
              {scopes.map(({ scope }) => (
                <label key={scope} className="scope">
                  <input
                    type="radio"
                    name="scope"
                    value={scope}
                    checked={scope === chosenScope}
                    onChange={() => onChoose({ ...chosen, scope })}
                  />
                  {SCOPE_WORDS[scope]}
                </label>
              ))}
            </div>
          )}
          <div className="grant-stack" aria-live="polite">
            {scopes.map(({ scope, grant }) => (
              <p key={scope} className="grant-literal" {...(scope !== chosenScope && { 'aria-hidden': true })}>
                <VisibleText>{asked !== undefined && isLess(asked, access) ? lessWords(access) : grant}</VisibleText>
              </p>
            ))}
          </div>
        </fieldset>
      )}
      {asked !== undefined && access !== undefined && (
        <AccessChoice asked={asked} given={access} onChoose={(given) => onChoose({ ...chosen, access: given })} />
      )}
      {folder !== undefined && (
        <label className="scope">
          <input
            type="checkbox"
            checked={withFolder}
            onChange={() => onChoose({ ...chosen, withFolder: !withFolder })}
          />
          <span>
            Allow this folder from now on: {folder.access === 'read' ? 'read' : 'read and write'}
            {!title.endsWith(` in ${folder.path}`) && (
              <>
                {' '}
                <Sentence>{folder.path}</Sentence>
              </>
            )}
          </span>
        </label>
      )}
    </>
  );
  const words = [...scopes.map(({ grant }) => grant), folder?.path ?? ''];
  return words.some(({ length }) => length > MOST_SHOWN) ? (
    <ScrollBox className="scopes" label="How long an approval lasts">
      {lasting}
    </ScrollBox>
  ) : (
    <div className="scopes">{lasting}</div>
  );
}

/** Characters of a grant or a folder that are in view without scrolling. */
const MOST_SHOWN = 200;

function isLess(
  asked: NonNullable<Prompt['access']>,
  given: Decision['access'],
): given is NonNullable<Decision['access']> {
  return given !== undefined && (given.minutes < asked.minutes || given.apps.length < asked.apps.length);
}

/** The access in words where the person gives less than was asked for. */
function lessWords({ apps, minutes }: NonNullable<Decision['access']>): string {
  return `Less than was asked for: ${apps.map((app) => `“${app}”`).join(', ')} for ${minutesInWords(minutes)}.`;
}

type Asked = NonNullable<Prompt['access']>;
type Given = NonNullable<Decision['access']>;

const SHORTER = [15, 60, 480];

type AccessChoiceProps = { asked: Asked; given: Given; onChoose: (given: Given) => void };

/** The person may give an access for a shorter time, and to fewer apps. */
function AccessChoice({ asked, given, onChoose }: AccessChoiceProps) {
  const times = [...SHORTER.filter((minutes) => minutes < asked.minutes), asked.minutes];
  const without = (app: string) => given.apps.filter((each) => each !== app);
  return (
    <>
      {times.length > 1 && (
        <fieldset className="scope-choice">
          <legend className="visually-hidden">How long the access lasts</legend>
          {times.map((minutes) => (
            <label key={minutes} className="scope">
              <input
                type="radio"
                name="access-minutes"
                checked={minutes === given.minutes}
                onChange={() => onChoose({ ...given, minutes })}
              />
              {minutesInWords(minutes)}
            </label>
          ))}
        </fieldset>
      )}
      {asked.apps.length > 1 && (
        <fieldset className="scope-choice">
          <legend className="visually-hidden">To which apps</legend>
          {asked.apps.map((app) => (
            <label key={app} className="scope">
              <input
                type="checkbox"
                checked={given.apps.includes(app)}
                disabled={given.apps.length === 1 && given.apps.includes(app)}
                onChange={() =>
                  onChoose({ ...given, apps: given.apps.includes(app) ? without(app) : [...given.apps, app] })
                }
              />
              <VisibleText>{app}</VisibleText>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
