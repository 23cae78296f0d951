import type { RefCallback } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import { withTimesInWords } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Arguments } from './Arguments.tsx';
import { Reason } from './Reason.tsx';

/** What there is to know beyond the sentence, in the order in which it matters. */
export function Facts({ prompt, argumentsEnd }: { prompt: Prompt; argumentsEnd: RefCallback<HTMLElement> }) {
  const { risk, task, requester } = prompt;
  const now = useNow(30_000);
  return (
    <dl className="facts">
      <dt>Exactly</dt>
      <dd>
        <Arguments text={prompt.arguments} end={argumentsEnd} />
      </dd>
      {prompt.window !== undefined && (
        <>
          <dt>Window</dt>
          <dd>
            <VisibleText>{prompt.window}</VisibleText>
          </dd>
        </>
      )}
      <dt>Changes</dt>
      <dd>
        <VisibleText>{prompt.changes}</VisibleText>
      </dd>
      <dt>Risk</dt>
      <dd>
        <span className="risk">{risk.level}</span> <VisibleText>{risk.reasons.join(' ')}</VisibleText>
      </dd>
      {task !== undefined && (
        <>
          <dt>Task</dt>
          <dd>
            <TaskStep task={task} />
          </dd>
        </>
      )}
      <dt>Before</dt>
      <dd>
        <VisibleText>{withTimesInWords(prompt.history, now)}</VisibleText>
      </dd>
      {prompt.reason !== undefined && (
        <>
          <dt>They say</dt>
          <dd>
            <Reason userId={requester.userId}>{prompt.reason}</Reason>
          </dd>
        </>
      )}
    </dl>
  );
}

function TaskStep({ task: { name, step, of, alsoAsks } }: { task: NonNullable<Prompt['task']> }) {
  return (
    <>
      <VisibleText>{name}</VisibleText>, step {step} of {of}
      {alsoAsks.length > 0 && (
        <>
          ; it will also ask: <VisibleText>{alsoAsks.join('; ')}</VisibleText>
        </>
      )}
    </>
  );
}
