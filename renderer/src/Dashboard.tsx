import { useEffect, useState } from 'react';
import type { Failure } from '../../src/client/reply.ts';
import type { GuardianDashboard } from '../../src/contract/risk.ts';
import { afterPaint } from './after-paint.ts';
import { CloseButton } from './CloseButton.tsx';
import { createDashboardModel, type DashboardModel } from './dashboard-model.ts';
import { HomeContext } from './home.ts';
import { Navigation } from './Navigation.tsx';
import { PAGE_WORDS } from './pages.ts';
import type { PreferenceStore } from './preferences.ts';
import { RequestBar } from './prompt/RequestBar.tsx';
import { PageContent } from './shell/PageContent.tsx';
import { Banners } from './status/Banners.tsx';
import { useProblems } from './status/problems.tsx';
import { StatusBar } from './status/StatusBar.tsx';
import { useObservable } from './use-observable.ts';
import { goTo, usePlace } from './use-place.ts';
import { VisibleText } from './VisibleText.tsx';

type Props = {
  fetch: typeof globalThis.fetch;
  sessionKey: string;
  preferences: PreferenceStore;
  /** The risk, where it is known before the page is drawn. */
  risk: GuardianDashboard | undefined;
  onSessionLost: (failure: Failure) => void;
  onSignOut: () => void;
};

/** The frame around every page: header, navigation, problems, and the request that waits while another page is open. */
export function Dashboard({ fetch, sessionKey, preferences, risk, onSessionLost, onSignOut }: Props) {
  const [model] = useState(() =>
    createDashboardModel({ window, fetch, key: sessionKey, preferences, risk, onSessionLost }),
  );
  const place = usePlace();
  const { confirmations, grants, stuckTasks = [], status } = useObservable(model.feed);
  useEffect(() => afterPaint(model.open), [model]);
  const waiting = confirmations.length + stuckTasks.length;
  const signOut = () => {
    // The next person who signs in begins with the requests.
    goTo({ page: 'requests' });
    onSignOut();
  };
  return (
    <HomeContext value={status?.home}>
      <div className="dashboard">
        <title>{titleOf({ page: PAGE_WORDS[place.page], waiting })}</title>
        <StatusBar model={model} />
        <Navigation current={place.page} counts={{ requests: waiting, access: grants?.length ?? 0 }} />
        <main className="page-main">
          <Banners model={model} />
          <NoticeLine model={model} />
          {place.page !== 'requests' && <RequestBar model={model} onReview={() => goTo({ page: 'requests' })} />}
          <PageContent place={place} model={model} onSignOut={signOut} />
        </main>
      </div>
    </HomeContext>
  );
}

function titleOf({ page, waiting }: { page: string; waiting: number }): string {
  return waiting === 0 ? `Handrail · ${page}` : `(${waiting}) Handrail · ${page}`;
}

/** The latest notice; read out when it changes. News stands in the banner where there is one. */
function NoticeLine({ model }: { model: DashboardModel }) {
  const { notices } = model;
  const latest = useObservable(notices);
  const isInBanner = useProblems(model, 0).some(({ key }) => key === 'news');
  const notice = isInBanner ? undefined : latest;
  return (
    <div role="status" className="notice-line">
      {notice !== undefined && (
        <p className={`notice ${notice.tone}`}>
          <VisibleText>{notice.text}</VisibleText>
          <CloseButton label="Close this message" onClose={notices.clear} />
        </p>
      )}
    </div>
  );
}
