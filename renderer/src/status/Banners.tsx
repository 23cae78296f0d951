import { type ReactNode, useState } from 'react';
import type { Requester, StolenSession } from '../../../src/contract/console-status.ts';
import { CloseButton } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { SwitchButton } from '../devices/AccessibilitySwitch.tsx';
import { useNow, useObservable } from '../hooks.ts';
import { timeAgo } from '../time-words.ts';
import { Quoted, VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';

/** `short`: the problem among several; `#` stands for the number of the same. */
type Problem = {
  key: string;
  tone: 'trouble' | 'paused';
  short: string;
  words: ReactNode;
  button?: ReactNode;
};

/** Everything that keeps actions from running, the gravest first, and news of Guardian where there is anything else. */
export function useProblems(model: DashboardModel, now: number): Problem[] {
  const { connection, status } = useObservable(model.feed);
  const notice = useObservable(model.notices);
  const problems: Problem[] = [
    ...(connection === 'lost' ? [LOST] : []),
    ...(status?.troubles ?? []).map(storageTrouble),
    ...(status?.stolenSession === undefined ? [] : [stolenSession(status.stolenSession, model, now)]),
    ...(connection !== 'lost' && status?.agent === 'offline' ? [agentStopped(model)] : []),
    ...(status?.paused ? [allPaused(status.pausedAt, now)] : []),
    ...(status?.hasUntoldApps === true ? [untoldApps(model)] : []),
    ...(status?.endedAccess ?? []).map(accessEnded),
    ...(status?.requesters ?? []).filter(isPaused).map((requester) => requesterPaused(requester, model)),
  ];
  if (problems.length === 0 || notice?.tone !== 'news') return problems;
  return [...problems, newsOf(notice.text, model)];
}

function newsOf(text: string, { notices }: DashboardModel): Problem {
  return {
    key: 'news',
    tone: 'paused',
    short: '# insight',
    words: <VisibleText>{text}</VisibleText>,
    button: <CloseButton label="Close this message" onClose={notices.clear} />,
  };
}

const LOST: Problem = {
  key: 'lost',
  tone: 'trouble',
  short: 'No connection',
  words: 'Handrail does not answer. What you see may be old. Reconnecting…',
};

function storageTrouble(trouble: string): Problem {
  return { key: trouble, tone: 'trouble', short: '# storage trouble', words: <VisibleText>{trouble}</VisibleText> };
}

/** `now` is 0 where nobody reads the words. */
function stolenSession({ since, changes }: StolenSession, { act, client }: DashboardModel, now: number): Problem {
  return {
    key: 'stolen',
    tone: 'trouble',
    short: 'Sign-in code used twice',
    words: (
      <>
        A sign-in code was used twice, so another program may have been signed in as you. Changed since{' '}
        {timeAgo(Date.parse(since), now)}: <VisibleText>{changes.join(' · ')}</VisibleText>
      </>
    ),
    button: (
      <>
        <button type="button" onClick={() => act(client.answerStolenSession('take_back'), 'All of it is taken back.')}>
          Take all of it back
        </button>
        <button type="button" onClick={() => act(client.answerStolenSession('keep'), 'The changes stay.')}>
          Keep it
        </button>
      </>
    ),
  };
}

function accessEnded(literal: string): Problem {
  return {
    key: `ended ${literal}`,
    tone: 'paused',
    short: '# access ended',
    words: (
      <>
        This access ended because the dashboard is open in that app: <VisibleText>{literal}</VisibleText> To keep such
        an access, open the dashboard in its own window: handrail open
      </>
    ),
  };
}

function untoldApps(model: DashboardModel): Problem {
  return {
    key: 'untold apps',
    tone: 'paused',
    short: 'Accessibility off',
    words:
      'A program looked at apps that do not describe their windows, because accessibility is off on this desktop. The page Devices says more.',
    button: <SwitchButton model={model} />,
  };
}

function agentStopped({ act, client }: DashboardModel): Problem {
  return {
    key: 'agent',
    tone: 'trouble',
    short: 'Agent stopped',
    words: 'The agent stopped and could not restart, so nothing can run. The log says why.',
    button: (
      <button type="button" onClick={() => act(client.restartAgent(), 'The agent is being started.')}>
        Start the agent again
      </button>
    ),
  };
}

function allPaused(pausedAt: string | undefined, now: number): Problem {
  const since = pausedAt === undefined ? '' : ` (${timeAgo(Date.parse(pausedAt), now)})`;
  return {
    key: 'paused',
    tone: 'paused',
    short: 'Everything paused',
    words: `Everything is paused${since}. Handrail accepts nothing until you resume.`,
  };
}

const isPaused = ({ pausedBecause }: Requester) => pausedBecause !== null;

function requesterPaused({ userId, pausedBecause }: Requester, { act, client }: DashboardModel): Problem {
  return {
    key: `paused ${userId}`,
    tone: 'paused',
    short: '# paused',
    words: (
      <>
        <VisibleText>{userId}</VisibleText> is paused: <VisibleText>{pausedBecause ?? ''}</VisibleText>
      </>
    ),
    button: (
      <button type="button" onClick={() => act(client.resumeUser(userId), `${userId} may ask again.`)}>
        Resume {visibleText(userId)}
      </button>
    ),
  };
}

/** The problems that keep actions from running, in one line: the only one with the button that solves it, or several in a few words. */
export function Banners({ model }: { model: DashboardModel }) {
  const now = useNow(30_000);
  const problems = useProblems(model, now);
  const [isOpen, setOpen] = useState(false);
  const isFolded = problems.length > 1;
  return (
    <section className="banners" aria-label="Problems">
      {isFolded && (
        <Banner tone={problems.some(({ tone }) => tone === 'trouble') ? 'trouble' : 'paused'}>
          <span>{shortWords(problems)}</span>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Hide the problems' : 'Show the problems'}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </button>
        </Banner>
      )}
      {(!isFolded || isOpen) &&
        problems.map(({ key, tone, words, button }) => (
          <Banner key={key} tone={tone}>
            <span>{words}</span>
            {button}
          </Banner>
        ))}
    </section>
  );
}

function Banner({ tone, children }: { tone: Problem['tone']; children: ReactNode }) {
  return <p className={`banner ${tone}`}>{children}</p>;
}

/** Such as `Agent stopped · 2 paused`. */
function shortWords(problems: readonly Problem[]): string {
  const counts = new Map<string, number>();
  for (const { short } of problems) counts.set(short, (counts.get(short) ?? 0) + 1);
  return [...counts].map(([short, count]) => short.replace('#', String(count))).join(' · ');
}

/** Says on every other page that a request waits, and leads to it. */
export function RequestBar({ model, onReview }: { model: DashboardModel; onReview(): void }) {
  const { confirmations, stuckTasks = [] } = useObservable(model.feed);
  const [first] = confirmations;
  const others = confirmations.length + stuckTasks.length - 1;
  if (others < 0) return null;
  return (
    <p className="banner request-bar" role="alert">
      <span>
        {first === undefined ? (
          'A task needs your answer'
        ) : (
          <>
            <Quoted>{first.prompt.requester.userId}</Quoted> wants to:{' '}
            <VisibleText>{first.prompt.sentence}</VisibleText>
          </>
        )}
        {others > 0 && ` (and ${others} more)`}
      </span>
      <button type="button" className="primary" onClick={onReview}>
        Review
      </button>
    </p>
  );
}
