import { Type } from 'typebox';
import type { Services } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_USER } from '../openapi.ts';
import { idOf } from '../path-parts.ts';
import { responses, USER_PROBLEMS, WRITE_PROBLEMS } from '../responses.ts';
import { ARTIFACT_ANSWER, sendArtifact } from '../send-artifact.ts';

const about = { tags: ['Artifacts'], security: AS_USER };
const params = idOf('artifacts');

export function addArtifactRoutes(app: App, { artifacts }: Pick<Services, 'artifacts'>): void {
  app.get('/artifacts/:id', { schema: READ }, async (request, reply) => {
    const content = await artifacts.open(request.userId, request.params.id);
    if (isRefusal(content)) return content;
    return sendArtifact(reply, content);
  });

  app.delete('/artifacts/:id', { schema: REMOVE }, async (request, reply) => {
    const refusal = await artifacts.remove(request.userId, request.params.id);
    return refusal ?? reply.code(204).send();
  });
}

const READ = {
  ...about,
  operationId: 'getArtifact',
  summary: 'The bytes of an artifact',
  description:
    'Artifacts of a user may have 250 MiB, and of all users 500 MiB; beyond that the oldest are removed and answer `artifact_expired`.',
  params,
  response: responses({ 200: ARTIFACT_ANSWER }, [...USER_PROBLEMS, 'artifact_not_found', 'artifact_expired']),
};

const REMOVE = {
  ...about,
  operationId: 'deleteArtifact',
  summary: 'Delete an artifact',
  params,
  response: responses({ 204: Type.Null() }, [...USER_PROBLEMS, ...WRITE_PROBLEMS, 'artifact_not_found']),
};
