import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { StepSubmission, Task, TaskSubmission } from '../../contract/task.ts';
import { type Command, CommandError, EXIT, exitCodeOfTask, type Invocation } from '../command.ts';
import { answered, machineNames, ownDevice, type Requester, requesterOf } from '../requester.ts';
import { printableLine, statusLine, styled } from '../terminal.ts';

const HOLD_S = 2;
const UNDER_WAY: readonly string[] = ['pending', 'running', 'awaiting_confirmation'];
const STYLES = { success: 'green', failed: 'red', denied: 'red', expired: 'red', blocked: 'red' } as const;

export const taskRun: Command = {
  name: 'task run',
  summary: 'run the task of a JSON file and wait for its end',
  argument: {
    form: '<file>',
    description: 'a file with `steps`, as POST /api/tee/tasks takes it; `-` is standard input',
  },
  isRequester: true,
  examples: ['handrail task run tidy.json', 'jq . tidy.json | handrail task run -'],
  async run(invocation) {
    const { surroundings } = invocation;
    const written = await readTask(invocation);
    const requester = await requesterOf(invocation);
    const deviceId = await ownDevice(requester, surroundings.platform);
    const submitted = await answered(
      // Ctrl-C does not end this call: cancelling the task needs its id.
      requester.client.submitTask(withDevice(written, deviceId), { waitS: 0 }),
    );
    return exitCodeOfTask(await showEnd(invocation, requester, submitted));
  },
};

/** Waits for the end of a task and prints it. */
export async function showEnd(invocation: Invocation, requester: Requester, first: Task): Promise<Task> {
  const { surroundings, isJson } = invocation;
  const task = await untilEnded(invocation, requester, first);
  const text = isJson ? JSON.stringify(task) : linesOf(task, await machineNames(requester), invocation).join('\n');
  surroundings.output.write(`${text}\n`);
  return task;
}

/** A step as the file has it. The daemon checks it. */
type WrittenStep = Omit<StepSubmission, 'targetDeviceId'> & { targetDeviceId?: string };
type WrittenTask = Omit<TaskSubmission, 'steps'> & { steps: WrittenStep[] };

async function readTask(invocation: Invocation): Promise<WrittenTask> {
  const task = await readJson(invocation);
  if (typeof task === 'object' && task !== null && 'steps' in task && Array.isArray(task.steps))
    return { ...task, steps: task.steps };
  throw new CommandError(`${invocation.words[0]} should be an object with a list \`steps\`.`, EXIT.usage);
}

/** The JSON of the file that the first word names; of standard input for `-`. */
export async function readJson({ words, surroundings }: Invocation): Promise<unknown> {
  const [file = ''] = words;
  const written = file === '-' ? await text(surroundings.input) : readFile(resolve(surroundings.folder, file));
  try {
    return JSON.parse(written);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${file} should be JSON (${why}).`, EXIT.usage);
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      EXIT.usage,
    );
  }
}

/** Steps that name no device are for this computer. */
function withDevice({ steps, ...rest }: WrittenTask, targetDeviceId: string): TaskSubmission {
  return { ...rest, steps: steps.map((step) => ({ targetDeviceId, ...step })) };
}

async function untilEnded({ surroundings }: Invocation, { client, base }: Requester, first: Task): Promise<Task> {
  const { stopped, errors } = surroundings;
  const line = statusLine(errors);
  let task = first;
  if (task.status === 'awaiting_confirmation' && errors.isTTY !== true)
    errors.write(`handrail: waits for your answer at ${base}/\n`);
  try {
    while (UNDER_WAY.includes(task.status)) {
      if (stopped.aborted) {
        const cancelled = await client.cancelTask(task.taskId);
        return cancelled.ok ? cancelled.value : task;
      }
      line.show(progressOf(task, base));
      const answer = await client.task(task.taskId, { waitS: HOLD_S, signal: stopped });
      if (stopped.aborted) continue;
      if (!answer.ok) throw new CommandError(`${answer.failure.detail} The task is ${task.taskId}.`);
      task = answer.value;
    }
    return task;
  } finally {
    line.clear();
  }
}

function progressOf({ status, progress }: Task, base: string): string {
  const done = `${progress.done} of ${progress.total} steps have ended.`;
  return status === 'awaiting_confirmation' ? `Waiting for your answer at ${base}/  ${done}` : done;
}

function linesOf(
  { name, status, steps }: Task,
  nameOf: (deviceId?: string) => string,
  { surroundings }: Invocation,
): string[] {
  const style = styled(surroundings.output, surroundings.environment);
  const coloured = (word: string) => {
    const found = Object.entries(STYLES).find(([name]) => name === word)?.[1];
    return found === undefined ? word : style(found, word);
  };
  const rows = steps.map(({ id, actionType, targetDeviceId, status: of, details, error }) => {
    const why = error === undefined ? details : [error.message, error.fix].filter(Boolean).join(' ');
    return `  ${coloured(of)}  ${printableLine(id)}  ${nameOf(targetDeviceId)}${actionType}${why === undefined ? '' : `  ${printableLine(why)}`}`;
  });
  return [`${printableLine(name)}: ${coloured(status)}`, ...rows];
}
