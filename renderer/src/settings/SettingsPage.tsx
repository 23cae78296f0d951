import { Calls } from '../calls/Calls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { Sessions } from '../session/Sessions.tsx';
import { DaemonSettings } from './DaemonSettings.tsx';
import { EvidenceSwitch } from './EvidenceSwitch.tsx';
import { JournalCheck } from './JournalCheck.tsx';
import { PromptExpiry } from './PromptExpiry.tsx';
import { ReachTrial } from './ReachTrial.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';

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
