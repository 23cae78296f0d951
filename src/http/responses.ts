import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ARTIFACT_MEDIA_TYPES } from '../contract/link.ts';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, Problem, type ProblemCode } from '../contract/problem.ts';
import type { ArtifactContent } from '../services/records/artifacts.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { Page } from '../services/work/pages.ts';

/** The problems of every route: the request is refused before its route is reached, or the daemon itself fails. */
const ALWAYS: readonly ProblemCode[] = [
  'bad_request',
  'malformed_http',
  'bad_url',
  'upgrade_not_supported',
  'host_not_allowed',
  'origin_not_allowed',
  'cross_site_request',
  'os_user_not_allowed',
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
];

/** The problems of calls that name a user, of calls that change something, with or without a body, and of calls for the person alone. */
export const USER_PROBLEMS = ['user_id_required', 'user_id_invalid', 'user_key_invalid'] as const;
export const WRITE_PROBLEMS = [
  'invalid_json',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
  'storage_unavailable',
] as const;
export const PERSON_PROBLEMS = ['console_session_required'] as const;

/**
 * The `response` part of a route's schema: its successes, and every problem it may answer instead. It documents the route
 * and does not type the handler, since a handler may return a refusal in place of its record.
 */
export function responses(
  successes: Record<number, TSchema>,
  problems: readonly ProblemCode[],
): Record<string, unknown> {
  const byStatus = Map.groupBy(new Set([...ALWAYS, ...problems]), (code) => PROBLEMS[code][0]);
  const refusals = [...byStatus].map(([status, codes]) => [status, problemAnswer(codes)]);
  const given = Object.entries(successes).map(([status, schema]) => [status, successAnswer(status, schema)]);
  return Object.fromEntries([...refusals, ...given]);
}

/** A schema of `null` stands for no body; a body that is not JSON has its own `content`. */
function successAnswer(status: string, schema: TSchema): object {
  const description = STATUS_CODES[status] ?? status;
  if ('content' in schema) return { ...schema, description };
  return Type.IsNull(schema)
    ? { ...schema, description }
    : { description, content: { 'application/json': { schema } } };
}

function problemAnswer(codes: readonly ProblemCode[]): object {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } },
  };
}

/** A page as it is sent, with the notices about its query. Its items are JSON already, and are joined without another look at them. */
export function listAnswer<Item>(
  reply: FastifyReply,
  page: Page<Item> | Refusal,
  notices: readonly string[],
): string | Refusal {
  if (isRefusal(page)) return page;
  reply.type('application/json; charset=utf-8');
  const rest = { nextCursor: page.nextCursor, ...(notices.length > 0 && { notices }) };
  return `{"items":[${page.items.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

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
