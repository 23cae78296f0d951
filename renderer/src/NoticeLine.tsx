import type { Notices } from './notices.ts';
import { useObservable } from './use-observable.ts';
import { VisibleText } from './VisibleText.tsx';

/** The latest notice; read out when it changes. */
export function NoticeLine({ notices }: { notices: Notices }) {
  const notice = useObservable(notices);
  return (
    <div role="status" className="notice-line">
      {notice !== undefined && (
        <p className={`notice ${notice.tone}`}>
          <VisibleText>{notice.text}</VisibleText>
          <button type="button" className="quiet" aria-label="Close this message" onClick={notices.clear}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
