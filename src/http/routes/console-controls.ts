import { type TSchema, Type } from 'typebox';
import { Grant } from '../../contract/console.ts';
import { AllowedFolderList, FolderAllowance, FolderRemoval } from '../../contract/console-folders.ts';
import { ConsoleSettings } from '../../contract/console-settings.ts';
import { ConsoleStatus, Requester } from '../../contract/console-status.ts';
import { AuditResult, DaemonFacts } from '../../contract/daemon-facts.ts';
import { Device } from '../../contract/device.ts';
import { UserId } from '../../contract/ids.ts';
import { closed } from '../../contract/literals.ts';
import { PolicyDiff } from '../../contract/policy.ts';
import { Profile, ProfileList, ProfileName } from '../../contract/profile.ts';
import { ReachTrials } from '../../contract/reach.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import type { App } from '../app.ts';
import { LARGE_BODY_BYTES } from '../limits.ts';
import { AS_PERSON } from '../openapi.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

const about = { tags: ['Console'], security: AS_PERSON };
const params = Type.Object({ id: Type.String({ maxLength: 128 }) });

/** How the rail stands, and its emergency stop. */
export function addStatusRoutes(app: App, console: ConsoleService): void {
  app.get('/status', { schema: reads('How the rail stands as a whole', ConsoleStatus) }, (_request, reply) =>
    reply.send(console.status()),
  );
  app.post(
    '/pause',
    { schema: changes('Emergency stop: until resumed nothing is taken, waits or goes on', ConsoleStatus) },
    (_request, reply) => reply.send(console.pause()),
  );
  app.post('/resume', { schema: changes('End the emergency stop', ConsoleStatus) }, async (_request, reply) =>
    reply.send(await console.resume()),
  );
  app.post('/agent/restart', { schema: RESTART }, (_request, reply) => reply.send(console.restartAgent()));
  app.post('/accessibility', { schema: ACCESSIBILITY }, async (_request, reply) =>
    reply.send(await console.switchAccessibilityOn()),
  );
  app.post(
    '/reach/trial',
    { schema: changes('Call the person once in every way that is set up', ReachTrials) },
    async (_request, reply) => reply.send(await console.tryToReach()),
  );
  app.get('/settings', { schema: reads('The person’s settings', ConsoleSettings) }, (_request, reply) =>
    reply.send(console.settings.get()),
  );
  app.put('/settings', { schema: writes('Change the settings', ConsoleSettings, ConsoleSettings) }, (request, reply) =>
    reply.send(console.settings.put(request.body)),
  );
  app.get(
    '/audit/verify',
    { schema: reads('Whether the journal is as it was written', AuditResult) },
    async (_request, reply) => reply.send(await console.verifyAudit()),
  );
}

/** All records on this machine, of every user. */
export function addOverviewRoutes(app: App, console: ConsoleService): void {
  app.get('/devices', { schema: reads("Everybody's devices", itemsOf(Device)) }, (_request, reply) =>
    reply.send({ items: console.devices.all(), nextCursor: null }),
  );
  const removal = { ...removes('Remove a device of any requester; its running work is cancelled'), params };
  app.delete('/devices/:id', { schema: removal }, (request, reply) => {
    const refusal = console.devices.removeByPerson(request.params.id);
    return refusal === undefined ? reply.code(204).send() : reply.send(refusal);
  });
  app.get(
    '/about',
    { schema: reads('The version and settings of the daemon, and how long it keeps data', DaemonFacts) },
    (_request, reply) => reply.send(console.about()),
  );
}

/** Standing answers. */
export function addGrantRoutes(app: App, console: ConsoleService): void {
  app.get('/grants', { schema: reads('The grants that are live', itemsOf(Grant)) }, (_request, reply) =>
    reply.send({ items: console.grants.list(), nextCursor: null }),
  );
  app.delete(
    '/grants/:id',
    { schema: { ...removes('Revoke a grant, with immediate effect'), params } },
    (request, reply) => {
      const refusal = console.grants.revoke(request.params.id);
      return refusal === undefined ? reply.code(204).send() : reply.send(refusal);
    },
  );
}

/** The rules that allow, ask and block, and the users they apply to. */
export function addProfileRoutes(app: App, console: ConsoleService): void {
  app.get('/profiles', { schema: reads('Every profile, and whom it applies to', ProfileList) }, (_request, reply) =>
    reply.send(console.profiles.list()),
  );
  const change = writes('Make a profile, or change it', Profile, ProfileList);
  app.put('/profiles', { schema: change, bodyLimit: LARGE_BODY_BYTES }, (request, reply) =>
    reply.send(console.profiles.put(request.body)),
  );
  app.delete(
    '/profiles/:id',
    { schema: { ...changes('Remove a profile that applies to nobody', ProfileList), params } },
    (request, reply) => reply.send(console.profiles.remove(request.params.id)),
  );
  const watch = {
    ...reads('The last seven days, as a profile would have judged them for everybody', PolicyDiff),
    params,
  };
  app.get('/profiles/:id/watch', { schema: watch }, async (request, reply) =>
    reply.send(await console.policy.watch(request.params.id)),
  );
  const assign = {
    ...writes('Let a profile apply to a user, or to `*`', Type.Object({ profile: ProfileName }, closed), ProfileList),
    params,
  };
  app.put('/users/:id/profile', { schema: assign }, (request, reply) =>
    reply.send(console.profiles.assign(request.params.id, request.body.profile)),
  );
}

/** The folders that requesters may use. */
export function addFolderRoutes(app: App, console: ConsoleService): void {
  const list = reads('The folders that requesters may use', AllowedFolderList);
  app.get('/folders', { schema: list }, (_request, reply) => reply.send(console.folders.list()));
  const allow = writes('Allow a folder with everything below it', FolderAllowance, AllowedFolderList);
  app.put('/folders', { schema: allow }, async (request, reply) =>
    reply.send(await console.folders.allow(request.body)),
  );
  const remove = writes('Take a folder back, with immediate effect', FolderRemoval, AllowedFolderList);
  app.post('/folders/remove', { schema: remove }, (request, reply) => reply.send(console.folders.remove(request.body)));
}

/** Those who ask. */
export function addRequesterRoutes(app: App, console: ConsoleService): void {
  const key = {
    ...changes(
      'A fresh key that calls under this user id must show from now on; the id may be one that nobody has used yet',
      Type.Object({ key: Type.String() }, closed),
    ),
    params: Type.Object({ id: UserId }),
  };
  app.post('/users/:id/key', { schema: key }, (request, reply) =>
    reply.send(console.requesters.createKey(request.params.id)),
  );
  app.delete(
    '/users/:id/key',
    { schema: { ...changes('Remove the key of a user id, so that calls need none', Requester), params } },
    (request, reply) => reply.send(console.requesters.removeKey(request.params.id)),
  );
  app.post(
    '/users/:id/pause',
    { schema: { ...changes('Take nothing from this user', Requester), params } },
    (request, reply) => reply.send(console.requesters.pause(request.params.id)),
  );
  app.post(
    '/users/:id/resume',
    { schema: { ...changes('Take requests of this user again', Requester), params } },
    (request, reply) => reply.send(console.requesters.resume(request.params.id)),
  );
  const denied = Type.Object({ denied: Type.Integer() }, closed);
  app.post(
    '/users/:id/deny-all',
    { schema: { ...changes('Say no to everything this user waits for', denied), params } },
    (request, reply) => reply.send({ denied: console.confirmations.denyAllOf(request.params.id) }),
  );
  app.post(
    '/confirmations/deny-strangers',
    { schema: changes('Say no to everything that requesters you have never dealt with wait for', denied) },
    (_request, reply) => reply.send({ denied: console.confirmations.denyStrangers() }),
  );
}

const problems = [
  ...PERSON_PROBLEMS,
  'approval_requires_person',
  'not_found',
  'device_not_found',
  'validation_failed',
  'storage_unavailable',
] as const;

const RESTART = {
  ...about,
  summary: 'Start the agent again, where it is offline',
  response: responses({ 200: ConsoleStatus }, [...WRITE_PROBLEMS, ...problems, 'agent_not_offline']),
};

const ACCESSIBILITY = {
  ...about,
  summary: 'Switch accessibility on in the session of a Linux desktop; apps that are open have to be started again',
  response: responses({ 200: ConsoleStatus }, [...WRITE_PROBLEMS, ...problems, 'not_supported']),
};

function reads<Answer extends TSchema>(summary: string, answer: Answer) {
  return { ...about, summary, response: responses({ 200: answer }, problems) };
}

function changes<Answer extends TSchema>(summary: string, answer: Answer) {
  return { ...about, summary, response: responses({ 200: answer }, [...WRITE_PROBLEMS, ...problems]) };
}

function writes<Body extends TSchema>(summary: string, body: Body, answer: TSchema) {
  return { ...changes(summary, answer), body };
}

function removes(summary: string) {
  return { ...about, summary, response: responses({ 204: Type.Null() }, [...WRITE_PROBLEMS, ...problems]) };
}

function itemsOf(item: TSchema) {
  return Type.Object({ items: Type.Array(item), nextCursor: Type.Null() }, closed);
}
