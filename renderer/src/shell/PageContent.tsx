import type { ComponentType, ReactNode } from 'react';
import type { PageName } from '../../../src/contract/page-names.ts';
import { ScrollBox } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { Overview } from '../guardian/Overview.tsx';
import { type RangeName, rangeNamed } from '../guardian/time-spans.ts';
import { Later, type LaterScript, laterScript, PageMissing } from '../Later.tsx';
import { PAGE_WORDS, type Place } from '../pages.ts';
import { Asks } from '../prompt/Asks.tsx';

type Props = { place: Place; model: DashboardModel; onSignOut: () => void };

const ACTIVITY = laterPage(() => import('../activity/Activity.tsx').then((page) => page.Activity));
const METRICS = laterPage(() => import('../guardian/Metrics.tsx').then((page) => page.Metrics));
const INSIGHTS = laterPage(() => import('../guardian/Insights.tsx').then((page) => page.Insights));
const PROCEDURES = laterPage(() => import('../procedures/Procedures.tsx').then((page) => page.Procedures));
const ACCESS = laterPage(() => import('../access/Access.tsx').then((page) => page.Access));
const DEVICES = laterPage(() => import('../devices/Devices.tsx').then((page) => page.Devices));
const SETTINGS = laterPage(() => import('../settings/SettingsPage.tsx').then((page) => page.SettingsPage));

/**
 * The content of the page that the address names. The requests and the overview come with the first script, because a person opens
 * Handrail for one of them. The other pages are loaded when they are opened.
 */
export function PageContent(props: Props) {
  return (
    <ContentBox key={props.place.page} page={props.place.page}>
      <Content {...props} />
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
      return <OverviewOf range={rangeNamed(place.filters.get('window'))} model={model} />;
    case 'activity':
      return <LaterPage script={ACTIVITY} props={{ place, model }} />;
    case 'metrics':
      return <LaterPage script={METRICS} props={{ place, model }} />;
    case 'insights':
      return <LaterPage script={INSIGHTS} props={{ place, model }} />;
    case 'procedures':
      return <LaterPage script={PROCEDURES} props={{ place, model }} />;
    case 'access':
      return <LaterPage script={ACCESS} props={{ model }} />;
    case 'devices':
      return <LaterPage script={DEVICES} props={{ model }} />;
    case 'settings':
      return <LaterPage script={SETTINGS} props={{ model, onSignOut }} />;
  }
}

/** Another range is another overview. */
function OverviewOf({ range, model }: { range: RangeName; model: DashboardModel }) {
  return <Overview key={range} range={range} model={model} />;
}

function LaterPage<PageProps extends object>(later: { script: LaterScript<PageProps>; props: PageProps }) {
  return <Later {...later} loading={<p className="empty">Loading…</p>} />;
}

/**
 * A page whose script is loaded when it is opened first. If the script cannot be loaded, for example because Handrail was
 * updated since the dashboard was opened, the page says what to do.
 */
function laterPage<PageProps>(load: () => Promise<ComponentType<PageProps>>): LaterScript<PageProps> {
  return laterScript({ load, missing: PageMissing });
}
