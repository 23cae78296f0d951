import { Health } from '../../contract/health.ts';
import type { Services } from '../../services/offered-services.ts';
import type { App } from '../app.ts';
import { AS_ANYBODY } from '../openapi.ts';
import { responses } from '../responses.ts';

export function addHealthRoutes(app: App, { health }: Pick<Services, 'health'>): void {
  const schema = {
    tags: ['Daemon'],
    security: AS_ANYBODY,
    operationId: 'getHealth',
    summary: 'Whether the daemon works',
    response: responses({ 200: Health, 503: Health }, []),
  };
  app.get('/health', { schema, config: { unlimited: true } }, (_request, reply) => {
    const answer = health();
    return reply.code(answer.status === 'ok' ? 200 : 503).send(answer);
  });
}
