import { useEffect, useRef, useState } from 'react';
import type { Action } from '../../../src/contract/action.ts';
import type { ActivityDetail, AnsweredPrompt } from '../../../src/contract/activity.ts';
import { EVIDENCE_WITHIN_MS } from '../../../src/contract/times.ts';
import { isWithdrawn } from '../../../src/contract/withdrawn.ts';
import {
  ACTION_STATUS_WORDS,
  momentWords,
  statusOf,
  toneOf,
  tookWords,
  typeWords,
} from '../activity/activity-words.ts';
import { EvidencePictures } from '../activity/EvidencePictures.tsx';
import { Results } from '../activity/Results.tsx';
import { UndoButton } from '../activity/UndoButton.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { addressOf } from '../pages.ts';
import { durationWords } from '../time-words.ts';
import { Quoted, VisibleText } from '../VisibleText.tsx';

type Props = {
  action: Action;
  model: DashboardModel;
  now: number;
  /** One line and small pictures. */
  isBrief?: boolean;
};

/** One action of a run: its sentence, your answer, its end and its results. Its contents are loaded when it is near the screen. */
export function RunMoment({ action, model, now, isBrief = false }: Props) {
  const { detail, ref } = useDetailInView(model, action);
  const { actionId, actionType, details, error, reason, createdAt, durationMs } = action;
  const status = statusOf(action);
  return (
    <li ref={ref} className="moment" data-tone={toneOf(status)}>
      <time dateTime={createdAt}>{momentWords(createdAt, now)}</time>
      <div className="moment-body">
        <p className="moment-title">
          <a
            href={addressOf({ page: 'activity', subject: actionId, filters: new URLSearchParams({ view: 'actions' }) })}
          >
            <VisibleText>{detail?.sentence ?? typeWords(actionType)}</VisibleText>
          </a>{' '}
          {(!isBrief || toneOf(status) !== 'good') && (
            <span className={`status ${toneOf(status)}`}>{ACTION_STATUS_WORDS[status]}</span>
          )}
          {!isBrief && durationMs !== undefined && <span className="hint"> {tookWords(durationMs)}</span>}
        </p>
        {detail?.prompt !== undefined && <p className="moment-answer">{answerWords(detail.prompt, action)}</p>}
        {!isBrief && reason !== undefined && (
          <p className="hint">
            Reason given: <Quoted>{reason}</Quoted>
          </p>
        )}
        {(!isBrief || error !== undefined) && (
          <p className={error === undefined ? 'hint' : 'detail-error'}>
            <VisibleText>{error?.message ?? details}</VisibleText>
          </p>
        )}
        <UndoButton action={action} model={model} now={now} />
        {detail?.evidence !== undefined && <EvidencePictures evidence={detail.evidence} model={model} />}
        {detail !== undefined && <Results action={isBrief ? picturesOf(detail.action) : detail.action} model={model} />}
      </div>
    </li>
  );
}

function picturesOf({ artifacts = [] }: Action): Pick<Action, 'artifacts'> {
  return { artifacts: artifacts.filter(({ mediaType }) => mediaType.startsWith('image/')) };
}

/** The answer to a prompt, and how long it took, such as `You allowed it after 6 s, by press and hold`. */
function answerWords({ about, status, decidedAt, presence }: AnsweredPrompt, action: Action): string {
  const subject = about === 'plan' ? 'the plan' : 'it';
  const tookMs = decidedAt === undefined ? undefined : Date.parse(decidedAt) - Date.parse(action.createdAt);
  const after = tookMs === undefined || tookMs < 0 ? '' : ` after ${durationWords(tookMs)}`;
  const how = presence === 'hold' ? ', by press and hold' : '';
  if (status === 'allowed') return `You allowed ${subject}${after}${how}.`;
  if (status === 'denied' || action.confirmation?.denialFinalAt !== undefined) return `You denied ${subject}${after}.`;
  if (isWithdrawn(status, action.status)) return 'The request was withdrawn unanswered.';
  return status === 'expired' ? 'The request expired unanswered.' : 'Waits for your answer.';
}

/** Everything about an action, loaded once its element is near the screen, again when its status changes, and while its pictures come. */
function useDetailInView({ client, feed }: Pick<DashboardModel, 'client' | 'feed'>, action: Action) {
  const { actionId, status, finishedAt } = action;
  const ref = useRef<HTMLLIElement>(null);
  const [isNear, setNear] = useState(false);
  const [detail, setDetail] = useState<ActivityDetail>();
  useEffect(() => {
    const element = ref.current;
    if (element === null || isNear) return;
    const watch = new IntersectionObserver((entries) => setNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: '400px',
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [isNear]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another status means other contents
  useEffect(() => {
    if (!isNear) return;
    let isGone = false;
    const load = () =>
      void client.activityDetail(actionId).then((answer) => !isGone && answer.ok && setDetail(answer.value));
    load();
    const stop = feed.subscribe(() => isJustOver(finishedAt) && load());
    return () => {
      isGone = true;
      stop();
    };
  }, [client, feed, actionId, status, finishedAt, isNear]);
  return { detail, ref };
}

function isJustOver(finishedAt: string | undefined): boolean {
  return finishedAt !== undefined && Date.now() < Date.parse(finishedAt) + EVIDENCE_WITHIN_MS;
}
