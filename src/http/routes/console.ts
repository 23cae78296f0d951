import { type Static, Type } from 'typebox';
import { Action } from '../../contract/action.ts';
import { Confirmation, ConfirmationList, Decision, Hold, PromptSeen } from '../../contract/console.ts';
import { Task } from '../../contract/task.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf, withExample } from '../path-parts.ts';
import { PERSON_PROBLEMS, PICTURE_ANSWER, responses, WRITE_PROBLEMS } from '../responses.ts';

const about = { tags: ['Console'], security: AS_PERSON };
const params = idOf('confirmations');

/** The prompts for the person. */
export function addConfirmationRoutes(app: App, console: ConsoleService): void {
  const schema = {
    ...about,
    operationId: 'listConfirmations',
    summary: 'The pending prompts: the first one whole, and a row for each of the others',
    response: responses({ 200: ConfirmationList }, PERSON_PROBLEMS),
  };
  const one = {
    ...about,
    operationId: 'getConfirmation',
    summary: 'One prompt that waits, whole',
    params,
    response: responses({ 200: Confirmation }, [...PERSON_PROBLEMS, ...ENDED_PROBLEMS]),
  };
  app.get('/confirmations/:id', { schema: one }, (request, reply) =>
    reply.send(console.confirmations.get(request.params.id)),
  );
  app.get('/confirmations/:id/picture', { schema: PICTURE }, async (request, reply) => {
    const picture = await console.targetPicture(request.params.id, request.query);
    return isRefusal(picture) ? picture : reply.type(picture.mediaType).send(picture.bytes);
  });
  app.get('/confirmations', { schema }, (_request, reply) =>
    reply.send({ items: console.confirmations.list(), nextCursor: null }),
  );
}

const ENDED_PROBLEMS = ['not_found', 'confirmation_resolved', 'confirmation_expired'] as const;

const PICTURE = {
  ...about,
  operationId: 'getTargetPicture',
  summary: 'A picture of the window or region that a prompt is about, as it is now; it is stored nowhere',
  params,
  querystring: Type.Object({
    step: Type.Optional(
      Type.String({ maxLength: 64, description: 'the id of a step, where the prompt is for a plan' }),
    ),
    whole: Type.Optional(
      Type.Boolean({ description: 'the window around the controls, where the prompt has `crop.whole`' }),
    ),
  }),
  response: responses({ 200: PICTURE_ANSWER }, [...PERSON_PROBLEMS, ...ENDED_PROBLEMS, 'artifact_not_found']),
};

/** The person's answers to prompts. */
export function addAnswerRoutes(app: App, console: ConsoleService): void {
  app.post('/confirmations/:id/shown', { schema: SHOWN }, (request, reply) =>
    reply.send(console.confirmations.shown(request.params.id, request.body ?? {})),
  );
  app.post('/confirmations/:id/extend', { schema: EXTEND }, (request, reply) =>
    reply.send(console.confirmations.extend(request.params.id)),
  );
  app.post('/confirmations/:id/hold', { schema: HOLD }, (request, reply) =>
    reply.send(console.confirmations.hold(request.params.id, request.body.phase)),
  );
  app.post('/confirmations/:id/undo', { schema: UNDO }, (request, reply) =>
    reply.send(console.confirmations.undo(request.params.id)),
  );
  app.post('/confirmations/:id/decision', { schema: DECISION }, (request, reply) =>
    reply.send(console.confirmations.decide(request.params.id, request.body)),
  );
}

const answerProblems = [
  ...WRITE_PROBLEMS,
  'approval_requires_person',
  'console_session_required',
  ...ENDED_PROBLEMS,
] as const;

const SHOWN = {
  ...about,
  operationId: 'reportConfirmationShown',
  summary: 'The prompt is fully shown: starts the time before it can be answered. May come without a body',
  params,
  body: withExample(Type.Union([PromptSeen, Type.Null()]), { openedToEnd: true, onScreenMs: 4_200 }),
  response: responses({ 200: Confirmation }, answerProblems),
};

const EXTEND = {
  ...about,
  operationId: 'extendConfirmation',
  summary: 'Two more minutes to answer; no prompt waits for more than ten minutes in all',
  params,
  response: responses({ 200: Confirmation }, answerProblems),
};

const HOLD = {
  ...about,
  operationId: 'reportHold',
  summary: 'The person presses or releases the button that must be held',
  params,
  body: withExample(Hold, { phase: 'press' }),
  response: responses({ 200: Confirmation }, answerProblems),
};

const UNDO = {
  ...about,
  operationId: 'undoDenial',
  summary:
    'Take back a denial that was made with `undoable`, within 10 s: the prompt waits again and must be shown anew',
  params,
  response: responses({ 200: Confirmation }, answerProblems),
};

const DECISION_EXAMPLE: Static<typeof Decision> = {
  decision: 'allow',
  scope: 'once',
  nonce: 'q0mV9sX2cJ4aZ1uT',
  actionDigest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const DECISION = {
  ...about,
  operationId: 'decideConfirmation',
  summary:
    'Allow or deny: one action, also for requests equal to it, or the plan of a task as a whole. Answers the action, or the task',
  params,
  body: withExample(Decision, DECISION_EXAMPLE),
  response: responses({ 200: Type.Union([Action, Task]) }, [
    ...answerProblems,
    'confirmation_stale',
    'confirmation_not_ready',
  ]),
};
