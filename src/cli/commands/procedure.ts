import type { Reply } from '../../client/call.ts';
import { wordsOfName } from '../../contract/control-name.ts';
import type {
  Intent,
  Procedure,
  ProcedureDraft,
  ProcedureSource,
  ProcedureSubmission,
} from '../../contract/procedure.ts';
import type { TaskDryRun } from '../../contract/task.ts';
import { type Command, CommandError, EXIT, exitCodeOfTask, type Invocation } from '../command.ts';
import { readParameters } from '../parameters.ts';
import { answered, ownDevice, requesterOf } from '../requester.ts';
import { printableLine } from '../terminal.ts';
import { readJson, showEnd } from './task-run.ts';

const name = { form: '<name>', description: 'of a procedure of your user id' };

/** Prints JSON, or lines for a person. */
function print({ surroundings, isJson }: Invocation, value: unknown, lines: () => readonly string[]): void {
  const text = isJson ? JSON.stringify(value) : lines().map(printableLine).join('\n');
  surroundings.output.write(`${text}\n`);
}

const list: Command = {
  name: 'procedure list',
  summary: 'list your procedures, and those that run without a question',
  isRequester: true,
  examples: ['handrail procedure list', 'handrail procedure list --as mcp:claude-code'],
  async run(invocation) {
    const { client, userId } = await requesterOf(invocation);
    const { items } = await answered(client.procedures());
    const intents = (await answered(client.intents())).items;
    print(invocation, { items, intents }, () => {
      const lines = items.map((procedure) => lineOf(procedure, intents));
      return lines.length > 0 ? lines : [`${userId} has no procedure. Make one: handrail procedure make.`];
    });
    return EXIT.done;
  },
};

function lineOf({ name: of, version, steps }: Procedure, intents: readonly Intent[]): string {
  const runs = intents.filter(({ procedure }) => procedure === of).reduce((sum, { runsLeft }) => sum + runsLeft, 0);
  const may = runs === 0 ? 'asks for each run' : `runs ${runs === 1 ? 'once' : `${runs} times`} without a question`;
  return `${of}  version ${version}, ${stepsWords(steps)}, ${may}`;
}

const stepsWords = ({ length }: Procedure['steps']) => `${length} ${length === 1 ? 'step' : 'steps'}`;

const show: Command = {
  name: 'procedure show',
  summary: 'show the steps and bounds of a procedure',
  argument: name,
  isRequester: true,
  examples: ['handrail procedure show "Weekly report"'],
  async run(invocation) {
    const [of = ''] = invocation.words;
    const { client } = await requesterOf(invocation);
    const procedure = await answered(client.procedure(of));
    print(invocation, procedure, () => linesOf(procedure));
    return EXIT.done;
  },
};

function linesOf({ name: of, version, digest, parameters, steps, may }: Procedure): string[] {
  return [
    `${of}, version ${version}, ${digest}`,
    ...Object.entries(parameters).map(([each, bound]) => `  ${each}: ${JSON.stringify(bound)}`),
    ...steps.map(({ id, actionType, target, parameters: given, expect }) => {
      const where = target === undefined ? '' : ` on ${wordsOfName(target)}`;
      const then = expect === undefined ? '' : `, then expects ${JSON.stringify(expect)}`;
      const named = may.critical.includes(id) ? ' (may be of high risk)' : '';
      return `  ${id}. ${actionType}${where} ${JSON.stringify(given)}${then}${named}`;
    }),
  ];
}

const run: Command = {
  name: 'procedure run',
  summary: 'run a procedure and wait for its end',
  argument: name,
  rest: { form: '[key=value...]', description: 'its parameters; `key:=json` is JSON in any case' },
  options: [{ flags: '--try', description: 'find every control now, say what would happen, and do nothing' }],
  isRequester: true,
  examples: [
    'handrail procedure run "Weekly report" week=2026-W48',
    'handrail procedure run "Weekly report" week=2026-W48 --try',
  ],
  async run(invocation) {
    const [of = '', ...given] = invocation.words;
    const requester = await requesterOf(invocation);
    const { items: approved } = await answered(requester.client.intents());
    const device = approved.some(({ procedure }) => procedure === of)
      ? {}
      : { targetDeviceId: await ownDevice(requester, invocation.surroundings.platform) };
    const { parameters: bounds, steps } = await answered(requester.client.procedure(of));
    const schema = {
      properties: Object.fromEntries(
        Object.entries(bounds).map(([each, { type }]) => [each, { type: type === 'number' ? 'number' : 'string' }]),
      ),
    };
    const intent = { procedure: of, parameters: readParameters(given, schema), ...device };
    if (invocation.options.try === true) {
      const tried = await answered(requester.client.tryProcedure(intent));
      print(invocation, tried, () => [...tried.steps.map((step) => triedLine(step, steps)), 'Nothing was done.']);
      return tried.steps.some(({ missing, verdict }) => missing !== undefined || verdict === 'block')
        ? EXIT.failed
        : EXIT.done;
    }
    const first = await answered(requester.client.runProcedure(intent));
    const task = await showEnd(invocation, requester, first);
    if (task.steps.some(({ error }) => error !== undefined && MISSED.includes(error.code)))
      invocation.surroundings.errors.write(`handrail: ${mendWords(task.taskId, requester.base)}\n`);
    return exitCodeOfTask(task);
  },
};

/** No control answers to the name of a step, or several do. */
const MISSED: readonly string[] = ['target_gone', 'invalid_target'];

function mendWords(taskId: string, base: string): string {
  return `Where its control has another name now, choose it again under Mend at ${base}/#/activity/${taskId}?view=tasks`;
}

const WOULD = { allow: 'would run', ask: 'would ask you', block: 'would be blocked' } as const;

/** What a run would do at a step, on the control as the person reads its name. */
function triedLine(
  { id, actionType, verdict, rule, missing, details }: TaskDryRun['steps'][number],
  steps: Procedure['steps'],
): string {
  const target = steps.find((step) => step.id === id)?.target;
  const why = verdict === 'block' ? rule : (missing ?? '');
  if (target === undefined) return `${id}  ${details}${verdict === 'block' ? `  ${rule}` : ''}`;
  const would = missing === undefined ? WOULD[verdict] : 'would stop';
  return `${id}  ${would}  ${actionType} on ${wordsOfName(target)}  ${why}`.trimEnd();
}

const make: Command = {
  name: 'procedure make',
  summary: 'make a procedure of a run or a task of yours, and keep it',
  argument: { form: '<name>', description: 'for the new procedure' },
  rest: {
    form: '<id...>',
    description: 'a task, or an action of a run; a second one makes parameters of what differs',
  },
  options: [{ flags: '--draft', description: 'only print it, as a file for `procedure import`' }],
  isRequester: true,
  examples: [
    'handrail procedure make "Weekly report" act_01… act_01… --as mcp:claude-code',
    'handrail procedure make Tidy tsk_01… --draft > tidy.json',
  ],
  async run(invocation) {
    const [of = '', id = '', second] = invocation.words;
    if (id === '') throw new CommandError('The id of a task or of an action is expected.', EXIT.usage);
    const { client } = await requesterOf(invocation);
    const source: ProcedureSource = {
      name: of,
      ...(id.startsWith('tsk_') ? { taskId: id } : { runOf: id }),
      comparedWith: second,
    };
    const { draft, faults } = await drafted(client.draftProcedure(source));
    const isDraft = invocation.options.draft === true;
    if (isDraft) invocation.surroundings.output.write(`${JSON.stringify(draft, null, 2)}\n`);
    if (faults.length > 0) {
      const listed = faults.map(({ pointer, message }) => `\n  ${pointer} ${message}`).join('');
      const mend = isDraft ? '' : '\nPrint it with --draft, mend it, and import the file.';
      throw new CommandError(`It can't be kept yet:${listed}${mend}`, EXIT.usage);
    }
    if (!isDraft) keptWords(invocation, await answered(client.putProcedure(draft)));
    return EXIT.done;
  },
};

async function drafted(reply: Promise<Reply<ProcedureDraft>>): Promise<ProcedureDraft> {
  const answer = await reply;
  if (answer.ok || answer.failure.code !== 'action_not_found') return answered(Promise.resolve(answer));
  throw new CommandError(
    `${answer.failure.detail} If another requester did it, name that one, such as --as mcp:claude-code; Activity says whose it is.`,
  );
}

function keptWords(invocation: Invocation, procedure: Procedure): void {
  const { name: of, version, steps, parameters } = procedure;
  const names = Object.keys(parameters);
  const bounds = names.length === 0 ? 'no parameters' : `parameters: ${names.join(', ')}`;
  print(invocation, procedure, () => [
    `Kept ${of}: ${stepsWords(steps)}; ${bounds}.`,
    ...(version > 1 ? [`The name was in use, so this is version ${version}.`] : []),
    'It asks for each run, until you approve it on the page Procedures.',
  ]);
}

const exported: Command = {
  name: 'procedure export',
  summary: 'print a procedure as a file for `procedure import`',
  argument: name,
  isRequester: true,
  examples: ['handrail procedure export "Weekly report" > weekly.json'],
  async run(invocation) {
    const [of = ''] = invocation.words;
    const { client } = await requesterOf(invocation);
    const {
      userId: _userId,
      version: _version,
      digest: _digest,
      changedAt: _changedAt,
      ...file
    } = await answered(client.procedure(of));
    invocation.surroundings.output.write(`${JSON.stringify(file, null, 2)}\n`);
    return EXIT.done;
  },
};

const imported: Command = {
  name: 'procedure import',
  summary: 'keep the procedure of a file; nothing in it is approved',
  argument: { form: '<file>', description: 'as `procedure export` prints it; `-` is standard input' },
  isRequester: true,
  examples: ['handrail procedure import weekly.json'],
  async run(invocation) {
    const { client } = await requesterOf(invocation);
    const procedure = (await readJson(invocation)) as ProcedureSubmission;
    keptWords(invocation, await answered(client.putProcedure(procedure)));
    return EXIT.done;
  },
};

export const PROCEDURE_COMMANDS: readonly Command[] = [list, show, run, make, exported, imported];
