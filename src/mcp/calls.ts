import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Action } from '../contract/action.ts';
import { CATALOGUE } from '../domain/catalogue.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import { type CallParts, callAction, ownDeviceId, refusedWith, waitForAction } from './action-calls.ts';
import type { Caller, Tell } from './caller.ts';
import { procedureToolName } from './procedure-tools.ts';
import { valueResult } from './results.ts';
import { callProcedure, callTask, getTask } from './task-calls.ts';
import { actionTypeOf, type Tool } from './tools.ts';

export type ToolCall = { name: string; args: Record<string, unknown> };
type By = { caller: Caller; tell: Tell };

/** Calls the tool that a client names. */
export function createToolCalls(parts: CallParts, tools: readonly Tool[]) {
  return async ({ name, args }: ToolCall, by: By): Promise<CallToolResult> => {
    if (!tools.some((tool) => tool.name === name)) {
      const kept = parts.services.procedures.list(by.caller.userId);
      const procedure = kept.find((each) => procedureToolName(each.name) === name)?.name;
      if (procedure !== undefined) return callProcedure({ procedure, parameters: args }, parts, by);
      return refusedWith(by.caller, unknownTool(name, tools));
    }
    switch (name) {
      case 'submit_task':
        return callTask(args, parts, by);
      case 'run_procedure':
        return callProcedure(args, parts, by);
      case 'get_task':
        return withId(args, 'taskId', by, (id) => getTask(id, parts, by));
      case 'wait_for_action':
        return withId(args, 'actionId', by, (id) => waitForAction(id, parts, by));
      case 'list_actions':
        return listActions(parts, by);
      case 'get_access':
        return valueResult(parts.services.ownAccess(by.caller.userId));
      case 'list_devices':
        return listDevices(parts, by);
      default:
        return callAction(actionOf(name, args), parts, by);
    }
  };
}

function actionOf(name: string, args: Record<string, unknown>) {
  const actionType = actionTypeOf(name) ?? name;
  return { actionType, parameters: { ...CATALOGUE.get(actionType)?.forModels, ...args } };
}

const MOST_ACTIONS = 20;

/** The latest actions of this user, without their results. */
async function listActions({ services }: CallParts, { caller }: By): Promise<CallToolResult> {
  const page = await services.actions.list(caller.userId, {}, { limit: MOST_ACTIONS });
  if (isRefusal(page)) return refusedWith(caller, page);
  const actions = page.items.map((item) => {
    const { actionId, actionType, status, details, error, createdAt }: Action = JSON.parse(item);
    return { actionId, actionType, status, details, code: error?.code, createdAt };
  });
  return valueResult({ actions });
}

const MOST_DEVICES = 50;

/** Each device as a model needs it: its state and its displays. This computer is one of them from the first call on. */
async function listDevices(parts: CallParts, { caller }: By): Promise<CallToolResult> {
  const { services } = parts;
  ownDeviceId(caller.userId, parts);
  const page = await services.devices.list(caller.userId, { limit: MOST_DEVICES });
  if (isRefusal(page)) return refusedWith(caller, page);
  const devices = page.items.map((item) => {
    const { id, name, type, machine, status, reason, agent } = JSON.parse(item);
    return { id, name, type, machine, status, ...(reason && { reason }), displays: agent?.displays ?? [] };
  });
  return valueResult({ devices });
}

function withId(
  args: Record<string, unknown>,
  name: string,
  { caller }: By,
  call: (id: string) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const id = args[name];
  if (typeof id === 'string' && id.length <= 64) return call(id);
  const refusal: Refusal = {
    refused: 'validation_failed',
    detail: `The argument ${name} is expected: an id that an answer gave.`,
  };
  return Promise.resolve(refusedWith(caller, refusal));
}

function unknownTool(name: string, tools: readonly Tool[]): Refusal {
  const known = tools.map((tool) => tool.name).join(', ');
  return {
    refused: 'unknown_action_type',
    detail: `There is no tool ${JSON.stringify(name.slice(0, 100))}. The known ones are ${known}.`,
  };
}
