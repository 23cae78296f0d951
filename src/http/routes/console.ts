import { Type } from 'typebox';
import { Action } from '../../contract/action.ts';
import { Confirmation, ConfirmationList, Decision, Hold, PromptSeen } from '../../contract/console.ts';
import { Task } from '../../contract/task.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';
import { PICTURE_ANSWER } from '../send-artifact.ts';

const about = { tags: ['Console'], security: AS_PERSON };
const params = Type.Object({ id: Type.String() });

/** The prompts for the person. */
export function addConfirmationRoutes(app: App, console: ConsoleService): void {
  const schema = {
    ...about,
    summary: 'The pending prompts: the first one whole, and a row for each of the others',
    response: responses({ 200: ConfirmationList }, PERSON_PROBLEMS),
  };
  const one = {
    ...about,
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
  summary: 'The prompt is fully shown: starts the time before it can be answered. May come without a body',
  params,
  body: Type.Union([PromptSeen, Type.Null()]),
  response: responses({ 200: Confirmation }, answerProblems),
};

const EXTEND = {
  ...about,
  summary: 'Two more minutes to answer; no prompt waits for more than ten minutes in all',
  params,
  response: responses({ 200: Confirmation }, answerProblems),
};

const HOLD = {
  ...about,
  summary: 'The person presses or releases the button that must be held',
  params,
  body: Hold,
  response: responses({ 200: Confirmation }, answerProblems),
};

const UNDO = {
  ...about,
  summary:
    'Take back a denial that was made with `undoable`, within 10 s: the prompt waits again and must be shown anew',
  params,
  response: responses({ 200: Confirmation }, answerProblems),
};

const DECISION = {
  ...about,
  summary:
    'Allow or deny: one action, also for requests equal to it, or the plan of a task as a whole. Answers the action, or the task',
  params,
  body: Decision,
  response: responses({ 200: Type.Union([Action, Task]) }, [
    ...answerProblems,
    'confirmation_stale',
    'confirmation_not_ready',
  ]),
};
