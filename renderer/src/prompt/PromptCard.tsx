import { useEffect, useState } from 'react';
import type { Confirmation } from '../../../src/contract/console.ts';
import type { Room } from '../room.ts';
import { ScrollBox } from '../ScrollBox.tsx';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Answers } from './Answers.tsx';
import { createArming } from './arming.ts';
import { Facts } from './Facts.tsx';
import { useAllSeen } from './use-all-seen.ts';
import { WhoAsks } from './WhoAsks.tsx';

type Props = { confirmation: Confirmation; isAnswering: boolean; room: Room };

/** One question to the person: everything there is to know about it, in the order of its importance, and the answers. */
export function PromptCard({ confirmation, isAnswering, room }: Props) {
  const { prompt } = confirmation;
  const { connection } = useObservable(room.feed);
  const [arming] = useState(() => armingOf(confirmation, room));
  const seen = useAllSeen(arming.seen);
  const isReachable = connection !== 'lost';
  useEffect(() => {
    const attend = () => arming.attend(isReachable && room.attention.get());
    attend();
    const stop = room.attention.subscribe(attend);
    return () => {
      stop();
      arming.attend(false);
    };
  }, [arming, room, isReachable]);
  return (
    <section className="prompt" role="alertdialog" aria-labelledby="prompt-sentence" data-risk={prompt.risk.level}>
      <ScrollBox className="prompt-body" label="The request">
        <span ref={seen.start} className="edge" />
        <WhoAsks requester={prompt.requester} />
        <h1 id="prompt-sentence">
          <VisibleText>{prompt.sentence}</VisibleText>
        </h1>
        <Facts prompt={prompt} argumentsEnd={seen.arguments} />
        <span ref={seen.end} className="edge" />
      </ScrollBox>
      <Answers confirmation={confirmation} arming={arming} isAnswering={isAnswering} room={room} />
    </section>
  );
}

function armingOf({ id, prompt }: Confirmation, { client, feed, notices }: Room) {
  return createArming({
    level: prompt.risk.level,
    report: () => client.shown(id),
    onRefused(failure) {
      notices.outcome({ ok: false, failure });
      void feed.refresh();
    },
  });
}
