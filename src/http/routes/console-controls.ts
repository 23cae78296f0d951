import { type TSchema, Type } from 'typebox';
import { AllowedFolderList, FolderAllowance, FolderRemoval } from '../../contract/access.ts';
import { Grant } from '../../contract/console.ts';
import { ConsoleStatus, Requester } from '../../contract/console-status.ts';
import { Device } from '../../contract/device.ts';
import { UserId } from '../../contract/ids.ts';
import { closed } from '../../contract/literals.ts';
import { Machine } from '../../contract/machine.ts';
import { MachineList, MachineView } from '../../contract/machine-view.ts';
import { PolicyDiff } from '../../contract/policy.ts';
import { Profile, ProfileList, ProfileName } from '../../contract/profile.ts';
import { AuditResult, ConsoleSettings, DaemonFacts, ReachTrials } from '../../contract/settings.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import type { App } from '../app.ts';
import { LARGE_BODY_BYTES } from '../limits.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf, withExample } from '../path-parts.ts';
import { PROFILE_EXAMPLE } from '../record-examples.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

const about = { tags: ['Console'], security: AS_PERSON };

/** How the rail stands, and its emergency stop. */
export function addStatusRoutes(app: App, console: ConsoleService): void {
  app.get(
    '/status',
    { schema: reads('getStatus', 'How the rail stands as a whole', ConsoleStatus) },
    (_request, reply) => reply.send(console.status()),
  );
  app.post(
    '/pause',
    { schema: changes('pause', 'Emergency stop: until resumed nothing is taken, waits or goes on', ConsoleStatus) },
    (_request, reply) => reply.send(console.pause()),
  );
  app.post('/resume', { schema: changes('resume', 'End the emergency stop', ConsoleStatus) }, async (_request, reply) =>
    reply.send(await console.resume()),
  );
  app.post('/agent/restart', { schema: RESTART }, (_request, reply) => reply.send(console.restartAgent()));
  app.post('/accessibility', { schema: ACCESSIBILITY }, async (_request, reply) =>
    reply.send(await console.switchAccessibilityOn()),
  );
  app.post(
    '/reach/trial',
    { schema: changes('tryToReach', 'Call the person once in every way that is set up', ReachTrials) },
    async (_request, reply) => reply.send(await console.tryToReach()),
  );
  app.get('/settings', { schema: reads('getSettings', 'The person’s settings', ConsoleSettings) }, (_request, reply) =>
    reply.send(console.settings.get()),
  );
  app.put(
    '/settings',
    {
      schema: writes(
        'putSettings',
        'Change the settings',
        withExample(ConsoleSettings, { promptExpiryMs: 90_000 }),
        ConsoleSettings,
      ),
    },
    (request, reply) => reply.send(console.settings.put(request.body)),
  );
  app.get(
    '/audit/verify',
    { schema: reads('verifyAudit', 'Whether the journal is as it was written', AuditResult) },
    async (_request, reply) => reply.send(await console.verifyAudit()),
  );
}

/** All records on this machine, of every user. */
export function addOverviewRoutes(app: App, console: ConsoleService): void {
  app.get('/devices', { schema: reads('listAllDevices', "Everybody's devices", itemsOf(Device)) }, (_request, reply) =>
    reply.send({ items: console.devices.all(), nextCursor: null }),
  );
  const removal = {
    ...removes('deleteDeviceOfAnyone', 'Remove a device of any requester; its running work is cancelled'),
    params: idOf('devices'),
  };
  app.delete('/devices/:id', { schema: removal }, (request, reply) => {
    const refusal = console.devices.removeByPerson(request.params.id);
    return refusal === undefined ? reply.code(204).send() : reply.send(refusal);
  });
  app.get(
    '/about',
    { schema: reads('getAbout', 'The version and settings of the daemon, and how long it keeps data', DaemonFacts) },
    (_request, reply) => reply.send(console.about()),
  );
}

/** Standing answers. */
export function addGrantRoutes(app: App, console: ConsoleService): void {
  app.get('/grants', { schema: reads('listGrants', 'The grants that are live', itemsOf(Grant)) }, (_request, reply) =>
    reply.send({ items: console.grants.list(), nextCursor: null }),
  );
  app.delete(
    '/grants/:id',
    { schema: { ...removes('revokeGrant', 'Revoke a grant, with immediate effect'), params: idOf('grants') } },
    (request, reply) => {
      const refusal = console.grants.revoke(request.params.id);
      return refusal === undefined ? reply.code(204).send() : reply.send(refusal);
    },
  );
}

/** The rules that allow, ask and block, and the users they apply to. */
export function addProfileRoutes(app: App, console: ConsoleService): void {
  app.get(
    '/profiles',
    { schema: reads('listProfiles', 'Every profile, and whom it applies to', ProfileList) },
    (_request, reply) => reply.send(console.profiles.list()),
  );
  const change = writes(
    'putProfile',
    'Make a profile, or change it',
    withExample(Profile, PROFILE_EXAMPLE),
    ProfileList,
  );
  app.put('/profiles', { schema: change, bodyLimit: LARGE_BODY_BYTES }, (request, reply) =>
    reply.send(console.profiles.put(request.body)),
  );
  app.delete(
    '/profiles/:id',
    {
      schema: {
        ...changes('deleteProfile', 'Remove a profile that applies to nobody', ProfileList),
        params: idOf('profiles'),
      },
    },
    (request, reply) => reply.send(console.profiles.remove(request.params.id)),
  );
  const watch = {
    ...reads('watchProfile', 'The last seven days, as a profile would have judged them for everybody', PolicyDiff),
    params: idOf('profiles'),
  };
  app.get('/profiles/:id/watch', { schema: watch }, async (request, reply) =>
    reply.send(await console.policy.watch(request.params.id)),
  );
  const assign = {
    ...writes(
      'assignProfile',
      'Let a profile apply to a user, or to `*`',
      withExample(Type.Object({ profile: ProfileName }, closed), { profile: 'office' }),
      ProfileList,
    ),
    params: idOf('users'),
  };
  app.put('/users/:id/profile', { schema: assign }, (request, reply) =>
    reply.send(console.profiles.assign(request.params.id, request.body.profile)),
  );
}

const FOLDER = { userId: 'ann', path: '/home/ann/Reports' };

/** The folders that requesters may use. */
export function addFolderRoutes(app: App, console: ConsoleService): void {
  const list = reads('listFolders', 'The folders that requesters may use', AllowedFolderList);
  app.get('/folders', { schema: list }, (_request, reply) => reply.send(console.folders.list()));
  const allow = writes(
    'allowFolder',
    'Allow a folder with everything below it',
    withExample(FolderAllowance, { ...FOLDER, access: 'write' }),
    AllowedFolderList,
  );
  app.put('/folders', { schema: allow }, async (request, reply) =>
    reply.send(await console.folders.allow(request.body)),
  );
  const remove = writes(
    'removeFolder',
    'Take a folder back, with immediate effect',
    withExample(FolderRemoval, FOLDER),
    AllowedFolderList,
  );
  app.post('/folders/remove', { schema: remove }, (request, reply) => reply.send(console.folders.remove(request.body)));
}

/** Those who ask. */
export function addRequesterRoutes(app: App, console: ConsoleService): void {
  const key = {
    ...changes(
      'createUserKey',
      'A fresh key that calls under this user id must show from now on; the id may be one that nobody has used yet',
      Type.Object({ key: Type.String() }, closed),
    ),
    params: Type.Object({ id: withExample(UserId, 'ann') }),
  };
  app.post('/users/:id/key', { schema: key }, (request, reply) =>
    reply.send(console.requesters.createKey(request.params.id)),
  );
  app.delete(
    '/users/:id/key',
    {
      schema: {
        ...changes('deleteUserKey', 'Remove the key of a user id, so that calls need none', Requester),
        params: idOf('users'),
      },
    },
    (request, reply) => reply.send(console.requesters.removeKey(request.params.id)),
  );
  app.post(
    '/users/:id/pause',
    { schema: { ...changes('pauseUser', 'Take nothing from this user', Requester), params: idOf('users') } },
    (request, reply) => reply.send(console.requesters.pause(request.params.id)),
  );
  app.post(
    '/users/:id/resume',
    { schema: { ...changes('resumeUser', 'Take requests of this user again', Requester), params: idOf('users') } },
    (request, reply) => reply.send(console.requesters.resume(request.params.id)),
  );
  const denied = Type.Object({ denied: Type.Integer() }, closed);
  app.post(
    '/users/:id/deny-all',
    {
      schema: {
        ...changes('denyAllOfUser', 'Say no to everything this user waits for', denied),
        params: idOf('users'),
      },
    },
    (request, reply) => reply.send({ denied: console.confirmations.denyAllOf(request.params.id) }),
  );
  app.post(
    '/confirmations/deny-strangers',
    {
      schema: changes(
        'denyAllOfStrangers',
        'Say no to everything that requesters you have never dealt with wait for',
        denied,
      ),
    },
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
  operationId: 'restartAgent',
  summary: 'Start the agent again, where it is offline',
  response: responses({ 200: ConsoleStatus }, [...WRITE_PROBLEMS, ...problems, 'agent_not_offline']),
};

const ACCESSIBILITY = {
  ...about,
  operationId: 'switchAccessibilityOn',
  summary: 'Switch accessibility on in the session of a Linux desktop; apps that are open have to be started again',
  response: responses({ 200: ConsoleStatus }, [...WRITE_PROBLEMS, ...problems, 'not_supported']),
};

function reads<Answer extends TSchema>(operationId: string, summary: string, answer: Answer) {
  return { ...about, operationId, summary, response: responses({ 200: answer }, problems) };
}

function changes<Answer extends TSchema>(operationId: string, summary: string, answer: Answer) {
  return { ...about, operationId, summary, response: responses({ 200: answer }, [...WRITE_PROBLEMS, ...problems]) };
}

function writes<Body extends TSchema>(operationId: string, summary: string, body: Body, answer: TSchema) {
  return { ...changes(operationId, summary, answer), body };
}

function removes(operationId: string, summary: string) {
  return {
    ...about,
    operationId,
    summary,
    response: responses({ 204: Type.Null() }, [...WRITE_PROBLEMS, ...problems]),
  };
}

function itemsOf(item: TSchema) {
  return Type.Object({ items: Type.Array(item), nextCursor: Type.Null() }, closed);
}

const ADDITION = withExample(Machine, { name: 'studio', address: 'ann@studio.local' });

/** The person's other machines. */
export function addMachineRoutes(app: App, { machines }: ConsoleService): void {
  app.get(
    '/machines',
    { schema: aboutMachines('listMachines', 'Your other machines', MachineList) },
    (_request, reply) => reply.send(machines.list()),
  );
  const add = { ...aboutMachines('addMachine', 'Add a machine, reached by ssh', MachineList), body: ADDITION };
  app.post('/machines', { schema: add }, (request, reply) => reply.send(machines.add(request.body)));
  const test = { ...aboutMachines('testMachine', 'Try to reach a machine now', MachineView), params: idOf('machines') };
  app.post('/machines/:id/test', { schema: test }, async (request, reply) =>
    reply.send(await machines.tryNow(request.params.id)),
  );
  const remove = {
    ...aboutMachines(
      'deleteMachine',
      'Remove a machine with its devices and grants; its running work is cancelled',
      MachineList,
    ),
    params: idOf('machines'),
  };
  app.delete('/machines/:id', { schema: remove }, (request, reply) => reply.send(machines.remove(request.params.id)));
}

function aboutMachines<Answer extends TSchema>(operationId: string, summary: string, answer: Answer) {
  const response = responses({ 200: answer }, [
    ...PERSON_PROBLEMS,
    ...WRITE_PROBLEMS,
    'validation_failed',
    'not_found',
  ]);
  return { tags: ['Console'], security: AS_PERSON, operationId, summary, response };
}
