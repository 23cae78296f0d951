import { minutesInWords } from '../../../src/contract/access-minutes.ts';
import type { Decision, Prompt } from '../../../src/contract/console.ts';
import { VisibleText } from '../VisibleText.tsx';

type Asked = NonNullable<Prompt['access']>;
type Given = NonNullable<Decision['access']>;

const SHORTER = [15, 60, 480];

type Props = { asked: Asked; given: Given; onChoose: (given: Given) => void };

/** The person may give an access for a shorter time, and to fewer apps. */
export function AccessChoice({ asked, given, onChoose }: Props) {
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
