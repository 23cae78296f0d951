import { type PreferenceStore, THEMES, type Theme } from '../preferences.ts';
import { useObservable } from '../use-observable.ts';

const WORDS: Record<Theme, string> = { system: 'Same as the system', light: 'Light', dark: 'Dark' };

export function ThemeChoice({ preferences }: { preferences: PreferenceStore }) {
  const { theme } = useObservable(preferences);
  return (
    <section className="section" aria-labelledby="theme-title">
      <h2 id="theme-title">Appearance</h2>
      <div className="choices" role="radiogroup" aria-labelledby="theme-title">
        {THEMES.map((one) => (
          <label key={one} className="choice">
            <input
              type="radio"
              name="theme"
              checked={one === theme}
              onChange={() => preferences.change({ theme: one })}
            />
            {WORDS[one]}
          </label>
        ))}
      </div>
    </section>
  );
}
