import swagger from '@fastify/swagger';
import { Action, ActionError, ActionType, Artifact, DryRun, Risk } from '../contract/action.ts';
import { RESULT_RECORDS } from '../contract/action-data.ts';
import { Confirmation, Prompt } from '../contract/console.ts';
import { Capabilities, Device, DeviceAgent } from '../contract/device.ts';
import { Insight, MetricSnapshot, Trend } from '../contract/guardian.ts';
import { Health } from '../contract/health.ts';
import { Problem } from '../contract/problem.ts';
import { GuardianDashboard, RiskSummary } from '../contract/risk.ts';
import { Session } from '../contract/session.ts';
import { Task, TaskDryRun, TaskStep } from '../contract/task.ts';
import type { App } from './app.ts';
import { RECORD_EXAMPLES } from './record-examples.ts';

/** The records that the description names, and refers to wherever they appear. */
const RECORDS = {
  Problem,
  Health,
  Device,
  DeviceAgent,
  Capabilities,
  Action,
  ActionError,
  ActionType,
  Artifact,
  DryRun,
  ...RESULT_RECORDS,
  Task,
  TaskStep,
  TaskDryRun,
  Risk,
  Session,
  Confirmation,
  Prompt,
  MetricSnapshot,
  Trend,
  Insight,
  RiskSummary,
  GuardianDashboard,
} as const;

/** Collects the description of every route that is added after it, from the schemas that validate. */
export async function addOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Handrail',
        version: '1.0',
        description: 'Hands on a desktop for scripts and agents, under the eyes of the person at it.',
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'this daemon; it listens on loopback only' }],
      components: { securitySchemes: SECURITY_SCHEMES, schemas: SCHEMAS },
    },
    convertConstToEnum: false,
    transform: ({ schema, url }) => ({ schema: inside(schema), url }),
  });
}

/** Values for `security` in a route's schema. */
export const AS_USER: Record<string, string[]>[] = [{ userId: [] }, { userId: [], userKey: [] }];
export const AS_PERSON = [{ consoleSession: [] }];
export const AS_AGENT = [{ agentToken: [] }];
export const AS_ANYBODY: Record<string, string[]>[] = [];
/** Anybody may read; a user also sees its own id, and the person all of them. */
export const AS_READER = [{}, ...AS_USER, ...AS_PERSON];

const SECURITY_SCHEMES = {
  userId: {
    type: 'apiKey',
    in: 'header',
    name: 'x-user-id',
    description: 'On whose behalf the call is made: a label, not a credential. It can request, never approve.',
  },
  userKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The key with which the person locked the user id; only calls under such an id carry one.',
  },
  consoleSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The key of a session at the dashboard. A session that was opened with a public key also needs a proof in each call: x-handrail-proof, see API.md.',
  },
  agentToken: { type: 'http', scheme: 'bearer', description: 'The one-use token the daemon gave to its agent.' },
} as const;

/** The names of the records. `Type.Optional` copies a schema, but not its members. */
const NAMES = new Map<unknown, string>(Object.entries(RECORDS).map(([name, schema]) => [membersOf(schema), name]));

/** A schema with references in the place of the records in it. */
function referring(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const name = NAMES.get(membersOf(value));
  return name === undefined ? inside(value) : { $ref: `#/components/schemas/${name}` };
}

function membersOf(schema: object): unknown {
  return 'properties' in schema ? schema.properties : 'anyOf' in schema && schema.anyOf;
}

function inside(value: object): object {
  if (Array.isArray(value)) return value.map(referring);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, referring(each)]));
}

const SCHEMAS = Object.fromEntries(
  Object.entries(RECORDS).map(([name, schema]) => [name, { ...inside(schema), ...recordExamples(name) }]),
);

function recordExamples(name: string): { examples?: unknown[] } {
  return name in RECORD_EXAMPLES ? { examples: [RECORD_EXAMPLES[name]] } : {};
}
