import { useEffect, useState } from 'react';
import type { Failure } from '../../src/client/call.ts';
import { PAGES, type PageName } from '../../src/contract/page-names.ts';
import type { GuardianDashboard } from '../../src/contract/risk.ts';
import { afterPaint } from './after-paint.ts';
import { CloseButton } from './controls.tsx';
import { createDashboardModel, type DashboardModel } from './dashboard-model.ts';
import { useObservable } from './hooks.ts';
import { addressOf, goTo, PAGE_WORDS, usePlace } from './pages.ts';
import type { PreferenceStore } from './preferences.ts';
import { SignIn } from './session/SignIn.tsx';
import type { PageSession } from './session/session.ts';
import { PageContent } from './shell/PageContent.tsx';
import { Banners, RequestBar, useProblems } from './status/Banners.tsx';
import { StatusBar } from './status/StatusBar.tsx';
import { HomeContext, VisibleText } from './VisibleText.tsx';
import type { EarlyRisk } from './wire/early-answer.ts';

type Props = {
  fetch: typeof globalThis.fetch;
  session: PageSession;
  preferences: PreferenceStore;
  risk: EarlyRisk['risk'];
};

/** Outlines on a grid of 20 by 20. */
const OUTLINES: Record<PageName, string> = {
  requests: 'M10 3a5 5 0 0 1 5 5v3l1.5 3h-13L5 11V8a5 5 0 0 1 5-5ZM8 16.5a2 2 0 0 0 4 0',
  overview: 'M3.5 14a7 7 0 1 1 13 0M10 12.5l3-4M10 12.5h.01',
  activity: 'M3 5h2M8 5h9M3 10h2M8 10h9M3 15h2M8 15h9',
  metrics: 'M3 3v14h14M6.5 13V10M10 13V6M13.5 13V8.5',
  insights: 'M7.5 14h5M8.5 17h3M10 3a5 5 0 0 0-2.5 9.3V14h5v-1.7A5 5 0 0 0 10 3Z',
  procedures: 'M3 5h9M3 10h5M3 15h5M11.5 9.5v7l5.5-3.5Z',
  access: 'M10 3l6 2v5c0 3.5-2.5 6-6 7-3.5-1-6-3.5-6-7V5ZM7.5 10l2 2 3.5-4',
  devices: 'M3 4.5h14v9H3ZM7 17h6M10 13.5V17',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4',
};

type DashboardProps = {
  fetch: typeof globalThis.fetch;
  sessionKey: string;
  preferences: PreferenceStore;
  /** The risk, where it is known before the page is drawn. */
  risk: GuardianDashboard | undefined;
  onSessionLost: (failure: Failure) => void;
  onSignOut: () => void;
};

/** The frame around every page: header, navigation, problems, and the request that waits while another page is open. */
function Dashboard({ fetch, sessionKey, preferences, risk, onSessionLost, onSignOut }: DashboardProps) {
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

/** How many things a page has; a page without a number shows none. */
type Counts = Partial<Record<PageName, number>>;

/** A link to each page. Requests that wait are counted in another colour. */
function Navigation({ current, counts }: { current: PageName; counts: Counts }) {
  return (
    <nav className="navigation" aria-label="Pages">
      <ul>
        {PAGES.map((name) => (
          <li key={name}>
            <a
              className="page-link"
              href={addressOf({ page: name })}
              title={PAGE_WORDS[name]}
              {...(name === current && { 'aria-current': 'page' })}
            >
              <PageIcon page={name} />
              <span className="page-words">{PAGE_WORDS[name]}</span> <Count page={name} count={counts[name]} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ page, count }: { page: PageName; count: number | undefined }) {
  if (count === undefined || count === 0) return null;
  return <span className={page === 'requests' ? 'count waits' : 'count'}>{count}</span>;
}

/** The picture of a page in the navigation. The words beside it name the page. */
function PageIcon({ page }: { page: PageName }) {
  return (
    <svg className="page-icon" viewBox="0 0 20 20" width={20} height={20} aria-hidden="true">
      <path d={OUTLINES[page]} />
    </svg>
  );
}

/** Sign-in or, for a person who is signed in, the dashboard. */
export function Page({ fetch, session, preferences, risk }: Props) {
  const current = useObservable(session);
  if (current.state === 'signed in') {
    return (
      <Dashboard
        key={current.key}
        fetch={fetch}
        sessionKey={current.key}
        preferences={preferences}
        risk={risk?.key === current.key ? risk.dashboard : undefined}
        onSessionLost={session.lost}
        onSignOut={() => void session.signOut()}
      />
    );
  }
  return (
    <>
      <title>Sign in – Handrail</title>
      <SignIn
        isBusy={current.state === 'signing in'}
        notice={current.state === 'signed out' ? current.notice : undefined}
        onCode={(code) => void session.signIn(code)}
        onHere={session.signInHere}
      />
    </>
  );
}
