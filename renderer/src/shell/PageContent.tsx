import { type ReactNode, Suspense } from 'react';
import type { DashboardModel } from '../dashboard-model.ts';
import { PAGE_WORDS, type PageName, type Place } from '../pages.ts';
import { Asks } from '../prompt/Asks.tsx';
import { ScrollBox } from '../ScrollBox.tsx';
import { lazyPage } from './lazy-page.ts';

type Props = { place: Place; model: DashboardModel; onSignOut: () => void };

const Overview = lazyPage(() => import('../guardian/Overview.tsx').then((page) => page.Overview));
const Activity = lazyPage(() => import('../activity/Activity.tsx').then((page) => page.Activity));
const Metrics = lazyPage(() => import('../guardian/Metrics.tsx').then((page) => page.Metrics));
const Insights = lazyPage(() => import('../guardian/Insights.tsx').then((page) => page.Insights));
const Access = lazyPage(() => import('../access/Access.tsx').then((page) => page.Access));
const Devices = lazyPage(() => import('../devices/Devices.tsx').then((page) => page.Devices));
const SettingsPage = lazyPage(() => import('../settings/SettingsPage.tsx').then((page) => page.SettingsPage));

/** The content of the page that the address names. The requests come with the first script, the others when they are opened. */
export function PageContent(props: Props) {
  return (
    <ContentBox key={props.place.page} page={props.place.page}>
      <Suspense fallback={<p className="empty">Loading…</p>}>
        <Content {...props} />
      </Suspense>
    </ContentBox>
  );
}

/** The part of the page that scrolls. A prompt scrolls by itself, so the requests need no stop for the keyboard here. */
function ContentBox({ page, children }: { page: PageName; children: ReactNode }) {
  if (page === 'requests') return <div className="content">{children}</div>;
  return (
    <ScrollBox className="content" label={PAGE_WORDS[page]}>
      {children}
    </ScrollBox>
  );
}

function Content({ place, model, onSignOut }: Props) {
  switch (place.page) {
    case 'requests':
      return <Asks model={model} />;
    case 'overview':
      return <Overview model={model} />;
    case 'activity':
      return <Activity place={place} model={model} />;
    case 'metrics':
      return <Metrics place={place} model={model} />;
    case 'insights':
      return <Insights place={place} model={model} />;
    case 'access':
      return <Access model={model} />;
    case 'devices':
      return <Devices model={model} />;
    case 'settings':
      return <SettingsPage model={model} onSignOut={onSignOut} />;
  }
}
