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
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    convertConstToEnum: false,
    transformObject: (document) => ('openapiObject' in document ? withComponents(document.openapiObject) : {}),
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

/** Schemas come in whole wherever they are used; a record that is one of ours is said once, and referred to. */
function withComponents<Document extends object>(document: Document): Document {
  const names = new Map(Object.entries(RECORDS).map(([name, schema]) => [described(schema).key, name]));
  const inside = (value: object) => described(value, (key) => names.get(key)).value;
  const schemas = Object.fromEntries(
    Object.entries(RECORDS).map(([name, schema]) => [name, { ...Object(inside(schema)), ...recordExamples(name) }]),
  );
  const components = 'components' in document ? document.components : {};
  return Object.assign({}, document, inside(document), { components: Object.assign({}, components, { schemas }) });
}

function recordExamples(name: string): { examples?: unknown[] } {
  return name in RECORD_EXAMPLES ? { examples: [RECORD_EXAMPLES[name]] } : {};
}

/** `key`: equal for equal schemas. `value`: the schema, with references in place of the records in it. */
type Described = { key: string; value: unknown };

const ofNoRecord = (): undefined => undefined;

/**
 * Describes a value from its members upwards, so that each of them is written as text once. `nameOf` gives the name of the record
 * that has a key. `swagger` says `additionalProperties` where a record has one pattern for all its names, so the key does too.
 */
function described(value: unknown, nameOf: (key: string) => string | undefined = ofNoRecord): Described {
  if (typeof value !== 'object' || value === null) return { key: String(JSON.stringify(value)), value };
  const member = (each: unknown): Described => {
    const found = described(each, nameOf);
    const name = typeof each === 'object' ? nameOf(found.key) : undefined;
    return name === undefined ? found : { ...found, value: { $ref: `#/components/schemas/${name}` } };
  };
  if (Array.isArray(value)) {
    const members = value.map(member);
    return { key: `[${members.map(({ key }) => key)}]`, value: members.map((each) => each.value) };
  }
  const members = Object.entries(value).map(([name, each]) => ({ name, ...member(each) }));
  const keys = members.filter(({ name, value: each }) => name !== 'patternProperties' && each !== undefined);
  const texts = keys.map(({ name, key }) => `${JSON.stringify(name)}:${key}`);
  const [pattern] = 'patternProperties' in value ? Object.values(Object(value.patternProperties)) : [];
  if ('patternProperties' in value) texts.push(`"additionalProperties":${described(pattern).key}`);
  return { key: `{${texts}}`, value: Object.fromEntries(members.map((each) => [each.name, each.value])) };
}
