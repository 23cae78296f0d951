import { hash } from 'node:crypto';
import type { Intent } from '../contract/procedure.ts';
import type { ActionDefinition } from '../domain/catalogue/definition.ts';
import { CATALOGUE } from '../domain/catalogue.ts';

/** The parts of a schema that a model needs. Each member costs tokens in every conversation, and the daemon checks the rest by itself. */
const KEPT = ['type', 'enum', 'const', 'minimum', 'maximum', 'description'] as const;
/** The largest number that a limit says: larger ones bound no sensible call. */
const LARGEST_TOLD = 10_000;

export type ToolChoice = 'slim' | 'full';

/** Only what differs from the defaults of the protocol. */
type Annotations = { readOnlyHint?: true; destructiveHint?: false; idempotentHint?: true; openWorldHint?: false };

export type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolSchema;
  annotations: Annotations;
};

/** The tools in their one order: one for each action type, then those about actions, tasks and devices. */
export function toolsOf(choice: ToolChoice): readonly Tool[] {
  return choice === 'full' ? ALL : USUAL;
}

/** The name of the tool of an action type: its words, with lines between them. */
function toolName(actionType: string): string {
  return actionType.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** The action type of a tool, or of its own name. */
export function actionTypeOf(name: string): string | undefined {
  return TYPES.get(name) ?? (CATALOGUE.has(name) ? name : undefined);
}

const TYPES: ReadonlyMap<string, string> = new Map([...CATALOGUE.keys()].map((type) => [toolName(type), type]));

/** How a type of action of some risk usually goes. */
const ASKS = {
  low: 'Usually runs at once.',
  medium: 'Asks the person first.',
  high: 'Asks the person first.',
  critical: 'Asks the person first.',
} as const;

/** What a model is told before anything else. A short list of tools may have no tool for tasks or for the access. */
export function instructionsFor(tools: readonly { name: string }[]): string {
  const told = HINTS.filter(([name]) => tools.some((tool) => tool.name === name)).map(([, hint]) => hint);
  return [INSTRUCTIONS, ...told].join(' ');
}

const HINTS: readonly (readonly [string, string])[] = [
  ['submit_task', 'For several steps in a row call submit_task once: the person then answers once.'],
  ['get_access', 'get_access says what you may do now.'],
];

const INSTRUCTIONS = `Handrail lets you act on the desktop of the person at this computer, who watches. Low risk runs at once. For the rest the person is asked at the Handrail dashboard: a call then waits up to 25 seconds and may answer "awaiting_confirmation" with an actionId. Call wait_for_action with it to get the outcome. Do not repeat the call: it finds the same prompt. Before clicks and keys, call request_access once for the apps you need. If an action says stale_frame or target_changed, take a new look. You cannot approve anything. If the person denies something, do not try another way to the same end; say what you wanted and stop.`;

function ofType(definition: ActionDefinition): Tool {
  const { name, summary, baseRisk, parameters, hint, untold } = definition;
  return {
    name: toolName(name),
    title: words(name),
    description: `${summary}. ${ASKS[baseRisk]}${hint === '' ? '' : ` ${hint}`}`,
    inputSchema: toolSchema(parameters, untold),
    annotations: annotationsOf(definition),
  };
}

function annotationsOf({ effectClass, baseRisk, isIrreversible, reachesOut }: ActionDefinition): Annotations {
  if (effectClass === 'pure') return { readOnlyHint: true, openWorldHint: false };
  const isHarmless = !isIrreversible && (baseRisk === 'low' || baseRisk === 'medium');
  return {
    ...(isHarmless && { destructiveHint: false }),
    ...(effectClass === 'idempotent' && { idempotentHint: true }),
    ...(!reachesOut && { openWorldHint: false }),
  };
}

/** The words of an action type, as a title. */
function words(actionType: string): string {
  const text = toolName(actionType).replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const text = (description?: string): Json => ({ type: 'string', ...(description !== undefined && { description }) });

const STEP: ToolSchema = {
  type: 'object',
  properties: {
    id: text(),
    actionType: text('name of a tool'),
    parameters: { type: 'object' },
    dependsOn: { type: 'array', items: text() },
    runIf: { enum: ['success', 'failure', 'always'] },
  },
  required: ['id', 'actionType', 'parameters'],
};

const OWN: readonly Tool[] = [
  {
    name: 'submit_task',
    title: 'Submit task',
    description:
      'Runs several actions in order. The person approves all that need it at once. A parameter may be {"$from":"<step id>.data.<path>"}.',
    inputSchema: {
      type: 'object',
      properties: { name: text(), steps: { type: 'array', items: STEP }, reason: text('told to the person') },
      required: ['steps'],
    },
    annotations: {},
  },
  {
    name: 'run_procedure',
    title: 'Run procedure',
    description:
      'Runs a procedure that is kept for you, all steps at once. Without a name it lists those that run unasked, with their parameters.',
    inputSchema: { type: 'object', properties: { procedure: text(), parameters: { type: 'object' } } },
    annotations: {},
  },
  {
    name: 'get_task',
    title: 'Get task',
    description: 'A task and its steps. Waits up to 25 s for its end.',
    inputSchema: { type: 'object', properties: { taskId: text() }, required: ['taskId'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'wait_for_action',
    title: 'Wait for action',
    description:
      'Waits up to 25 s for the outcome of an action that answered awaiting_confirmation or running, and gives its result. Works for a day.',
    inputSchema: { type: 'object', properties: { actionId: text() }, required: ['actionId'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'list_actions',
    title: 'List actions',
    description: 'Your last 20 actions with their ids and outcomes, the newest first.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'get_access',
    title: 'Get access',
    description: 'What you may do now without asking: apps, grants and folders, with the seconds left.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'list_devices',
    title: 'List devices',
    description:
      'This computer and the other machines of the person: whether each is online, and its displays with their ids.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];

const ALL: readonly Tool[] = [...[...CATALOGUE.values()].map(ofType), ...OWN];

const USUAL: readonly Tool[] = [
  ...[...CATALOGUE.values()].filter(({ isUsual }) => isUsual).map(ofType),
  ...OWN.filter(({ name }) => name === 'wait_for_action'),
];

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type ToolSchema = { type: 'object'; properties?: { [name: string]: Json }; required?: string[] };

/** The parameters of an action type, but for those `untold`, as a short JSON Schema. */
function toolSchema(parameters: unknown, untold: readonly string[]): ToolSchema {
  return { ...shortened(parameters, untold), type: 'object' };
}

function shortened(
  schema: unknown,
  untold: readonly string[] = [],
): Omit<ToolSchema, 'type'> & { [name: string]: Json } {
  const { properties, required, items, ...rest } = Object(schema);
  const kept = KEPT.flatMap((name): [string, Json][] => (isTold(rest[name]) ? [[name, rest[name]]] : []));
  const told = Object.entries(Object(properties)).filter(([name]) => !untold.includes(name));
  const members = told.map(([name, each]): [string, Json] => [name, shortened(each)]);
  return {
    ...Object.fromEntries(kept),
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(isNames(required) && required.length > 0 && { required: [...required] }),
    ...(items !== undefined && { items: shortened(items) }),
  };
}

function isTold(value: unknown): value is Json {
  if (typeof value === 'number') return Math.abs(value) <= LARGEST_TOLD;
  return typeof value === 'string' || typeof value === 'boolean' || isNames(value);
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** A requester who may run more finds them by `run_procedure`. */
const MOST_TOOLS = 10;
/** A tool costs tokens in every conversation. `run_procedure` tells of a larger one. */
const MOST_CHARACTERS = 2_000;
const LONGEST_NAME = 40;

/** A tool for each procedure that a requester may run unasked. It tells no description, which may change after the approval. */
export function procedureTools(intents: readonly Intent[]): Tool[] {
  const procedures = new Map(intents.map((intent) => [intent.procedure, intent]));
  if (procedures.size > MOST_TOOLS) return [];
  const tools = [...procedures.values()].map(({ procedure, parameters }) => ({
    name: procedureToolName(procedure),
    title: procedure,
    description: `Runs the procedure “${procedure}”, all steps at once.`,
    inputSchema: parameters as Tool['inputSchema'],
    annotations: {},
  }));
  return tools.filter((tool) => JSON.stringify(tool).length <= MOST_CHARACTERS);
}

/**
 * The name of the tool of a procedure. No tool of another kind begins so. It follows from the name of the procedure alone: a name with
 * other characters than plain letters, digits and single spaces has a hash at its end.
 */
export function procedureToolName(procedure: string): string {
  const plain = procedure.slice(0, LONGEST_NAME).replaceAll(/[^A-Za-z0-9]/gu, '_');
  const isPlain = procedure.length <= LONGEST_NAME && /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/u.test(procedure);
  return `procedure_${plain}${isPlain ? '' : `__${hash('sha256', procedure).slice(0, 8)}`}`;
}
