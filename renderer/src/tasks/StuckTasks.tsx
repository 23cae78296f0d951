import type { Task } from '../../../src/contract/task.ts';
import { progressWords } from '../activity/task-words.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { Quoted } from '../Quoted.tsx';
import { timeAgo } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { UnknownStep } from './UnknownStep.tsx';

type Props = { tasks: readonly Task[]; model: DashboardModel };

/** Tasks that cannot go on by themselves: of some step only a person can find out whether it happened. */
export function StuckTasks({ tasks, model }: Props) {
  const now = useNow(10_000);
  return (
    <section className="tasks" aria-labelledby="tasks-title">
      <h1 id="tasks-title">Did it happen?</h1>
      <p className="hint">The connection was lost during these steps. Check each one, then choose.</p>
      <ul className="cards">
        {tasks.map((task) => (
          <TaskCard key={task.taskId} task={task} now={now} model={model} />
        ))}
      </ul>
    </section>
  );
}

function TaskCard({ task, now, model }: { task: Task; now: number; model: DashboardModel }) {
  const { name, userId, createdAt, steps } = task;
  return (
    <li className="task">
      <h2>
        <Quoted>{name}</Quoted>
      </h2>
      <p className="hint">
        <VisibleText>{userId}</VisibleText> · asked for {timeAgo(Date.parse(createdAt), now)} · {progressWords(task)}
      </p>
      {steps
        .filter(({ status }) => status === 'unknown')
        .map((step) => (
          <UnknownStep key={step.id} task={task} step={step} now={now} model={model} />
        ))}
    </li>
  );
}
