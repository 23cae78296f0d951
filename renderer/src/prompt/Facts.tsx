import type { RefCallback } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import { Quoted } from '../Quoted.tsx';
import { withTimesInWords } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Arguments } from './Arguments.tsx';
import { Contents } from './Contents.tsx';
import { Fact } from './Fact.tsx';
import { Reason } from './Reason.tsx';
import { Script } from './Script.tsx';

/** The facts beyond the headline and the requester, in the order in which they matter. */
export function Facts({ prompt, argumentsEnd }: { prompt: Prompt; argumentsEnd: RefCallback<HTMLElement> }) {
  const { risk, task } = prompt;
  const now = useNow(30_000);
  return (
    <dl className="facts">
      {prompt.window !== undefined && (
        <Fact name="Window">
          <VisibleText>{prompt.window}</VisibleText>
        </Fact>
      )}
      {prompt.control !== undefined && (
        <Fact name="Control">
          <VisibleText>{prompt.control}</VisibleText>
        </Fact>
      )}
      <Fact name="Risk">
        <span className="risk">{risk.level}</span> <VisibleText>{risk.reasons.join(' ')}</VisibleText>
      </Fact>
      <Fact name="Changes">
        <VisibleText>{prompt.changes}</VisibleText>
      </Fact>
      {prompt.script !== undefined && (
        <Fact name="Script">
          <Script script={prompt.script} />
        </Fact>
      )}
      {prompt.contents !== undefined && (
        <Fact name="Contents">
          <Contents contents={prompt.contents} />
        </Fact>
      )}
      <Fact name="Arguments">
        <Arguments text={prompt.arguments} end={argumentsEnd} />
      </Fact>
      {prompt.reason !== undefined && (
        <Fact name="Reason">
          <Reason>{prompt.reason}</Reason>
        </Fact>
      )}
      {task !== undefined && (
        <Fact name="Task">
          <TaskStep task={task} />
        </Fact>
      )}
      <Fact name="Before">
        <VisibleText>{withTimesInWords(prompt.history, now)}</VisibleText>
      </Fact>
    </dl>
  );
}

function TaskStep({ task: { name, step, of, alsoAsks } }: { task: NonNullable<Prompt['task']> }) {
  return (
    <>
      <Quoted>{name}</Quoted>, step {step} of {of}
      {alsoAsks.length > 0 && (
        <>
          ; it will also ask: <VisibleText>{alsoAsks.join('; ')}</VisibleText>
        </>
      )}
    </>
  );
}
