import type { DashboardModel } from '../dashboard-model.ts';
import { Sessions } from '../session/Sessions.tsx';
import { SignOut } from '../session/SignOut.tsx';
import { Calls } from './Calls.tsx';
import { DaemonSettings } from './DaemonSettings.tsx';
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
      <Sessions model={model} />
      <SignOut onSignOut={onSignOut} />
      <JournalCheck model={model} />
      <DaemonSettings model={model} />
    </div>
  );
}
