import type { FastifyReply } from 'fastify';
import type { ArtifactContent } from '../services/services.ts';

/** Streams an artifact. A browser shows pictures and saves everything else, because a file of the person's could be a page. */
export function sendArtifact(reply: FastifyReply, { mediaType, sizeBytes, bytes }: ArtifactContent): FastifyReply {
  if (!mediaType.startsWith('image/')) reply.header('content-disposition', 'attachment');
  return reply.type(mediaType).header('content-length', sizeBytes).send(bytes);
}
