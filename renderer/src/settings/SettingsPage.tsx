import type { Room } from '../room.ts';
import { Sessions } from '../session/Sessions.tsx';
import { SignOut } from '../session/SignOut.tsx';
import { Calls } from './Calls.tsx';
import { DaemonSettings } from './DaemonSettings.tsx';
import { JournalCheck } from './JournalCheck.tsx';
import { PromptExpiry } from './PromptExpiry.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';

/** The choices of the person, the settings of the daemon, and the sessions. */
export function SettingsPage({ room, onSignOut }: { room: Room; onSignOut: () => void }) {
  return (
    <div className="sheet">
      <h1>Settings</h1>
      <ThemeChoice preferences={room.preferences} />
      <Calls preferences={room.preferences} />
      <PromptExpiry room={room} />
      <Sessions room={room} />
      <SignOut onSignOut={onSignOut} />
      <JournalCheck room={room} />
      <DaemonSettings room={room} />
    </div>
  );
}
