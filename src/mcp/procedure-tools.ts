import { hash } from 'node:crypto';
import type { Intent } from '../contract/procedure.ts';
import type { Tool } from './tools.ts';

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
