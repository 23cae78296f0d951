import { useId, useState } from 'react';
import type { AuditResult, ReachTrials } from '../../../src/contract/settings.ts';
import { Calls } from '../calls/Calls.tsx';
import { Switch } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useObservable } from '../hooks.ts';
import { type PreferenceStore, THEMES, type Theme } from '../preferences.ts';
import { Sessions } from '../session/Sessions.tsx';
import { VisibleText } from '../VisibleText.tsx';

const WORDS: Record<Theme, string> = { system: 'Same as the system', light: 'Light', dark: 'Dark' };

const NAMES = { desktop: 'Desktop notification', hook: 'HANDRAIL_NOTIFY' };

const CHOICES_MS = [30_000, 60_000, 90_000, 120_000, 300_000, 600_000];

/** The choices of the person, the settings of the daemon, and the sessions. */
export function SettingsPage({ model, onSignOut }: { model: DashboardModel; onSignOut: () => void }) {
  return (
    <div className="sheet">
      <h1>Settings</h1>
      <ThemeChoice preferences={model.preferences} />
      <Calls preferences={model.preferences} />
      <ReachTrial model={model} />
      <PromptExpiry model={model} />
      <EvidenceSwitch model={model} />
      <OtherDaemonsSwitch model={model} />
      <Sessions model={model} />
      <SignOut onSignOut={onSignOut} />
      <JournalCheck model={model} />
      <DaemonSettings model={model} />
    </div>
  );
}

/** How long the person stays signed in on this page, and the button that ends it. */
function SignOut({ onSignOut }: { onSignOut: () => void }) {
  return (
    <section className="section" aria-labelledby="sign-out-title">
      <h2 id="sign-out-title">Sign out</h2>
      <p className="hint">
        You stay signed in until you close this page, sign out, or leave it unused for twelve hours. Requests keep
        waiting. Signing in again takes a fresh code.
      </p>
      <button type="button" onClick={onSignOut}>
        Sign out
      </button>
    </section>
  );
}

/** Settings of the daemon that come from its environment, and how long it keeps things. They are shown, not changed. */
function DaemonSettings({ model }: { model: DashboardModel }) {
  const { value } = useLoaded(model, model.client.about);
  if (value === undefined) return null;
  return (
    <section className="section" aria-labelledby="daemon-title">
      <h2 id="daemon-title">Daemon</h2>
      <p className="hint">
        Handrail {value.version}. To change a setting, set its variable and start Handrail again:{' '}
        <code>HANDRAIL_PORT=3002 npm start</code>
      </p>
      <dl className="facts daemon-facts">
        {value.variables.map(({ variable, meaning, value: current }) => (
          <div key={variable}>
            <dt>
              <code>{variable}</code>
              <span className="hint">{meaning}</span>
            </dt>
            <dd>
              <VisibleText>{current}</VisibleText>
            </dd>
          </div>
        ))}
      </dl>
      <h3>How long data is kept</h3>
      <dl className="facts daemon-facts">
        {value.retention.map(({ contents, kept }) => (
          <div key={contents}>
            <dt>{contents}</dt>
            <dd>{kept}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Whether the person gets pictures of clicks and keys. */
function EvidenceSwitch({ model }: { model: DashboardModel }) {
  const { value, reload } = useLoaded(model, model.client.settings);
  if (value === undefined) return null;
  const change = async (keepsEvidence: boolean) => {
    const text = keepsEvidence ? 'Pictures of clicks and keys are kept.' : 'No pictures of clicks and keys are taken.';
    await model.act(model.client.putSettings({ ...value, keepsEvidence }), text);
    await reload();
  };
  return (
    <section className="section" aria-labelledby="evidence-title">
      <h2 id="evidence-title">Pictures of clicks and keys</h2>
      <Switch
        label="Keep a small picture of the target before and after each click or key"
        hint="Only you see them, in the runs. They are kept for 24 hours."
        isOn={value.keepsEvidence !== false}
        onChange={(isOn) => void change(isOn)}
      />
    </section>
  );
}

/** Whether a Handrail on another computer of the person may act here. */
function OtherDaemonsSwitch({ model }: { model: DashboardModel }) {
  const { value, reload } = useLoaded(model, model.client.settings);
  if (value === undefined) return null;
  const change = async (acceptsOtherDaemons: boolean) => {
    const text = acceptsOtherDaemons ? 'Your other computers may use this one.' : 'No other computer may use this one.';
    await model.act(model.client.putSettings({ ...value, acceptsOtherDaemons }), text);
    await reload();
  };
  return (
    <section className="section" aria-labelledby="others-title">
      <h2 id="others-title">Your other computers</h2>
      <Switch
        label="Let your other computers use this one"
        hint="A Handrail there acts here over ssh, and asks you there and not here. Switched off, it ends at once what it does here."
        isOn={value.acceptsOtherDaemons === true}
        onChange={(isOn) => void change(isOn)}
      />
    </section>
  );
}

/** Verifies the hash chain of the journal and says the result. */
function JournalCheck({ model }: { model: DashboardModel }) {
  const [result, setResult] = useState<AuditResult>();
  const [isBusy, setBusy] = useState(false);
  const verify = async () => {
    if (isBusy) return;
    setBusy(true);
    const answer = await model.client.verifyAudit();
    if (answer.ok) setResult(answer.value);
    else model.notices.outcome(answer);
    setBusy(false);
  };
  return (
    <section className="section" aria-labelledby="journal-title">
      <h2 id="journal-title">Journal</h2>
      <p className="hint">
        The journal records everything that happens, each row chained to the one before. It never holds typed text,
        screenshots or other contents. A program with your rights and the journal’s key can rewrite it unseen.
      </p>
      <div className="field-row">
        <button type="button" aria-disabled={isBusy} onClick={() => void verify()}>
          {isBusy ? 'Verifying…' : 'Verify the journal'}
        </button>
        <p role="status">{result !== undefined && resultWords(result)}</p>
      </div>
    </section>
  );
}

function resultWords({ valid, rows, brokenAt, reason }: AuditResult): string {
  if (valid) return `The journal is intact: ${rows.toLocaleString('en')} rows.`;
  return `The journal was changed${brokenAt === undefined ? '' : ` at row ${brokenAt}`}. ${reason ?? ''}`;
}

/** How long a request waits for an answer before it expires. */
function PromptExpiry({ model }: { model: DashboardModel }) {
  const { value, reload } = useLoaded(model, model.client.settings);
  const id = useId();
  if (value === undefined) return null;
  const { promptExpiryMs } = value;
  const change = async (ms: number) => {
    const text = `Requests expire after ${durationWords(ms)} without an answer.`;
    await model.act(model.client.putSettings({ ...value, promptExpiryMs: ms }), text);
    await reload();
  };
  return (
    <section className="section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Requests</h2>
      <div className="field-row">
        <label htmlFor={id}>A request expires without an answer after</label>
        <select id={id} value={promptExpiryMs} onChange={({ target }) => void change(Number(target.value))}>
          {expiryChoices(promptExpiryMs).map((ms) => (
            <option key={ms} value={ms}>
              {durationWords(ms)}
            </option>
          ))}
        </select>
      </div>
    </section>
  );
}

/** The times, in milliseconds, that the person can choose from: the usual ones and the present one. */
export function expiryChoices(presentMs: number): number[] {
  return CHOICES_MS.includes(presentMs) ? CHOICES_MS : [...CHOICES_MS, presentMs].toSorted((one, other) => one - other);
}

export function durationWords(ms: number): string {
  return ms < 120_000 ? `${ms / 1_000} seconds` : `${ms / 60_000} minutes`;
}

/** Calls the person once in every way that the daemon has, and says what happened. */
function ReachTrial({ model }: { model: DashboardModel }) {
  const [trials, setTrials] = useState<ReachTrials>();
  const [isBusy, setBusy] = useState(false);
  const tryOut = async () => {
    if (isBusy) return;
    setBusy(true);
    const answer = await model.client.tryToReach();
    if (answer.ok) setTrials(answer.value);
    else model.notices.outcome(answer);
    setBusy(false);
  };
  return (
    <section className="section" aria-labelledby="reach-title">
      <h2 id="reach-title">When this page is closed</h2>
      <p className="hint">
        Handrail shows a notification on your desktop. To ring your phone, set <code>HANDRAIL_NOTIFY</code> to a program
        or an address. It gets “Handrail needs you” and nothing else. None of them can answer a request.
      </p>
      <div className="field-row">
        <button type="button" aria-disabled={isBusy} onClick={() => void tryOut()}>
          {isBusy ? 'Trying…' : 'Try it'}
        </button>
        <div role="status">{trials !== undefined && trialLines(trials).map((line) => <p key={line}>{line}</p>)}</div>
      </div>
    </section>
  );
}

function trialLines({ items }: ReachTrials): string[] {
  if (items.length === 0) return ['Nothing is set up: Handrail has no desktop and no HANDRAIL_NOTIFY.'];
  return items.map(({ channel, problem }) => `${NAMES[channel]}: ${problem ?? 'done.'}`);
}

function ThemeChoice({ preferences }: { preferences: PreferenceStore }) {
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
