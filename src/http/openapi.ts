import swagger from '@fastify/swagger';
import { Action, ActionError, ActionType, Artifact, DryRun, Risk } from '../contract/action.ts';
import { Confirmation, Prompt, Session } from '../contract/console.ts';
import { Capabilities, Device, DeviceAgent } from '../contract/device.ts';
import { Insight, MetricSnapshot, Trend } from '../contract/guardian.ts';
import { Health } from '../contract/health.ts';
import { Problem } from '../contract/problem.ts';
import { GuardianDashboard, RiskSummary } from '../contract/risk.ts';
import { OpenedApp, QuitResult, ScreenDescription, ScreenshotData, Waited } from '../contract/screen.ts';
import { Task, TaskDryRun, TaskStep } from '../contract/task.ts';
import type { App } from './app.ts';
import { withOperationIds } from './operation-ids.ts';

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
  ScreenDescription,
  ScreenshotData,
  OpenedApp,
  QuitResult,
  Waited,
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
      },
      servers: [{ url: '/', description: 'this daemon; it listens on loopback only' }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    convertConstToEnum: false,
    transformObject: (document) =>
      'openapiObject' in document ? withOperationIds(withComponents(document.openapiObject)) : {},
  });
}

/** Values for `security` in a route's schema. */
export const AS_USER = [{ userId: [] }, { userId: [], userKey: [] }];
export const AS_PERSON = [{ consoleSession: [] }];
export const AS_AGENT = [{ agentToken: [] }];

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
  consoleSession: { type: 'http', scheme: 'bearer', description: 'The key of a session at the dashboard.' },
  agentToken: { type: 'http', scheme: 'bearer', description: 'The one-use token the daemon gave to its agent.' },
} as const;

/** Schemas come in whole wherever they are used; a record that is one of ours is said once, and referred to. */
function withComponents<Document extends object>(document: Document): Document {
  const names = new Map(Object.entries(RECORDS).map(([name, schema]) => [keyOf(schema), name]));
  const referred = (value: unknown): unknown => {
    const name = typeof value === 'object' ? names.get(keyOf(value)) : undefined;
    return name === undefined ? inside(value) : { $ref: `#/components/schemas/${name}` };
  };
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, referred(member)]));
  };
  const schemas = Object.fromEntries(Object.entries(RECORDS).map(([name, schema]) => [name, inside(schema)]));
  const components = 'components' in document ? document.components : {};
  return Object.assign({}, document, inside(document), { components: Object.assign({}, components, { schemas }) });
}

/** By which a schema is known again: `swagger` says `additionalProperties` where a record has one pattern for all its names. */
function keyOf(schema: unknown): string {
  return JSON.stringify(schema, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || !('patternProperties' in member)) return member;
    const { patternProperties, ...rest } = member;
    return { ...rest, additionalProperties: Object.values(Object(patternProperties))[0] };
  });
}
