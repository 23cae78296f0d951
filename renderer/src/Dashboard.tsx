import * as Tabs from '@radix-ui/react-tabs';
import { useEffect, useState } from 'react';
import { Grants } from './grants/Grants.tsx';
import { NoticeLine } from './NoticeLine.tsx';
import { People } from './people/People.tsx';
import { Asks } from './prompt/Asks.tsx';
import { createRoom } from './room.ts';
import { Sessions } from './session/Sessions.tsx';
import { SignOut } from './session/SignOut.tsx';
import { Banners } from './status/Banners.tsx';
import { StatusBar } from './status/StatusBar.tsx';
import { useObservable } from './use-observable.ts';
import type { Failure } from './wire/answer.ts';

type Props = { sessionKey: string; onSessionLost: (failure: Failure) => void; onSignOut: () => void };

export function Dashboard({ sessionKey, onSessionLost, onSignOut }: Props) {
  const [room] = useState(() => createRoom({ window, key: sessionKey, onSessionLost }));
  const { confirmations, grants, stuckTasks = [] } = useObservable(room.feed);
  useEffect(() => room.open(), [room]);
  const waiting = confirmations.length + stuckTasks.length;
  return (
    <Tabs.Root className="dashboard" defaultValue="asks">
      <title>{waiting === 0 ? 'Handrail' : `(${waiting}) Handrail asks`}</title>
      <StatusBar room={room}>
        <Tabs.List className="tabs" aria-label="Rooms">
          <Tabs.Trigger className="tab" value="asks">
            Asks <span className={waiting === 0 ? 'count' : 'count waits'}>{waiting}</span>
          </Tabs.Trigger>
          <Tabs.Trigger className="tab" value="grants">
            Grants <span className="count">{grants?.length ?? 0}</span>
          </Tabs.Trigger>
          <Tabs.Trigger className="tab" value="people">
            People
          </Tabs.Trigger>
        </Tabs.List>
      </StatusBar>
      <main className="page-main">
        <Banners room={room} />
        <NoticeLine notices={room.notices} />
        <Tabs.Content className="content" value="asks" tabIndex={-1}>
          <Asks room={room} />
        </Tabs.Content>
        <Tabs.Content className="content" value="grants" tabIndex={-1}>
          <Grants room={room} />
        </Tabs.Content>
        <Tabs.Content className="content" value="people" tabIndex={-1}>
          <People room={room} />
          <Sessions room={room} />
          <SignOut onSignOut={onSignOut} />
        </Tabs.Content>
      </main>
    </Tabs.Root>
  );
}
