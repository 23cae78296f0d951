import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ARTIFACT_MEDIA_TYPES } from '../contract/link.ts';
import type { ArtifactContent } from '../services/records/artifacts.ts';

const BYTES = { schema: Type.String({ contentEncoding: 'binary' }) };

/** The `200` of a route that answers with an artifact: a picture, the bytes of a file or the output of a script. */
export const ARTIFACT_ANSWER: TSchema = {
  content: Object.fromEntries(ARTIFACT_MEDIA_TYPES.map((mediaType) => [mediaType, BYTES])),
};

/** The `200` of a route that answers with a picture. */
export const PICTURE_ANSWER: TSchema = { content: { 'image/*': BYTES } };

/** Streams an artifact. A browser shows pictures and saves everything else, because a file of the person's could be a page. */
export function sendArtifact(reply: FastifyReply, { mediaType, sizeBytes, bytes }: ArtifactContent): FastifyReply {
  if (!mediaType.startsWith('image/')) reply.header('content-disposition', 'attachment');
  return reply.type(mediaType).header('content-length', sizeBytes).send(bytes);
}
