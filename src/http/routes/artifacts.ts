import { Type } from 'typebox';
import { isRefusal } from '../../services/refusal.ts';
import type { Services } from '../../services/services.ts';
import { answers } from '../answers.ts';
import type { App } from '../app.ts';

const tags = ['Artifacts'];
const params = Type.Object({ id: Type.String() });

export function addArtifactRoutes(app: App, { artifacts }: Pick<Services, 'artifacts'>): void {
  app.get('/artifacts/:id', { schema: READ }, async (request, reply) => {
    const content = await artifacts.read(request.userId, request.params.id);
    if (isRefusal(content)) return content;
    return reply
      .type(content.mediaType)
      .send(Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.sizeBytes));
  });

  app.delete('/artifacts/:id', { schema: REMOVE }, async (request, reply) => {
    const refusal = await artifacts.remove(request.userId, request.params.id);
    return refusal ?? reply.code(204).send();
  });
}

const READ = {
  tags,
  summary: 'The bytes of an artifact',
  params,
  response: answers({ 200: { content: { 'image/*': { schema: Type.String({ contentEncoding: 'binary' }) } } } }, [
    'artifact_not_found',
    'artifact_expired',
  ]),
};

const REMOVE = {
  tags,
  summary: 'Delete an artifact',
  params,
  response: answers({ 204: Type.Null() }, ['artifact_not_found']),
};
