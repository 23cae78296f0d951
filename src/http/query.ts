import type { FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { lazyCheck } from '../contract/lazy-check.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../contract/list.ts';
import { described } from '../contract/literals.ts';
import { nearNames } from '../contract/near-names.ts';
import { type SchemaFault, schemaFaults } from '../contract/schema-faults.ts';
import type { WindowRequest } from '../services/guardian/time-windows.ts';
import type { PageRequest } from '../services/work/pages.ts';
import { type HttpRefusal, quoted, RefusedError, refuse } from './problem-response.ts';

/** Reads one query parameter, and documents it. */
type Parameter<Value> = { read(text: string): Reading<Value>; schema: TSchema };
type Reading<Value> = { value: Value; notice?: string } | { complaint: string };
type Parameters = Record<string, Parameter<unknown>>;
type ValueOf<Of> = Of extends Parameter<infer Value> ? Value : never;

export type Query<Known extends Parameters> = {
  values: { [Name in keyof Known]?: ValueOf<Known[Name]> };
  notices: string[];
};

/**
 * Bodies and path parameters are checked as they are: unknown properties refused, nothing coerced, nothing filled in.
 * Schemas of queries and headers only document: those are read where they are used, queries forgivingly.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'querystring' || httpPart === 'headers') return () => true;
  const isValid = lazyCheck(schema);
  return (value) => {
    if (isValid(value)) return true;
    return { error: new RefusedError(validationFailed(httpPart ?? 'body', schemaFaults(schema, value))) };
  };
};

function validationFailed(part: string, errors: SchemaFault[]) {
  return refuse('validation_failed', detailOf(part, errors), { errors });
}

const PARAMETERS: Record<string, string> = { params: 'path parameter', query: 'query parameter' };

/** Parameters are known by their names, places in a body by their pointers. */
function detailOf(part: string, errors: readonly SchemaFault[]): string {
  const parameter = PARAMETERS[part];
  if (parameter !== undefined)
    return errors.map(({ pointer, message }) => `The ${parameter} "${pointer.slice(1)}" ${message}.`).join(' ');
  const listed = errors.map(({ pointer, message }) => `${pointer === '' ? 'it' : pointer} ${message}`).join('; ');
  return `The ${part} is not as documented: ${listed}.`;
}

/** Reads a query. Unknown parts are ignored and named in `notices`; only unreadable values are refused. */
export function readQuery<Known extends Parameters>(query: unknown, known: Known): Query<Known> | HttpRefusal {
  const values: { [Name in keyof Known]?: ValueOf<Known[Name]> } = {};
  const notices: string[] = [];
  const complaints: { pointer: string; message: string }[] = [];
  for (const [name, came] of Object.entries(query ?? {})) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    const reading = readParameter(parameter, came);
    if (reading === undefined) notices.push(unknownParameter(name, Object.keys(known)));
    else if ('complaint' in reading) complaints.push({ pointer: `/${name}`, message: reading.complaint });
    else {
      Object.assign(values, { [name]: reading.value });
      if (reading.notice !== undefined) notices.push(reading.notice);
    }
  }
  return complaints.length > 0 ? validationFailed('query', complaints) : { values, notices };
}

function unknownParameter(name: string, known: readonly string[]): string {
  return `The parameter ${quoted(name)} is not known here and was ignored.${didYouMean([name], known)} Known are ${known.join(', ')}.`;
}

/** The nearest known name of each mistyped one, as a question; empty where none is near. */
function didYouMean(mistyped: readonly string[], known: readonly string[]): string {
  const near = mistyped
    .slice(0, MOST_GUESSES)
    .flatMap((name) => nearNames(name.slice(0, LONGEST_GUESS), known).slice(0, 1));
  return near.length === 0 ? '' : ` Did you mean ${[...new Set(near)].join(', ')}?`;
}

/** A caller that sends many or long names must not cost more than one that mistypes. */
const MOST_GUESSES = 5;
const LONGEST_GUESS = 64;

/** The same parameter, with its purpose before the description of its values. */
export function meaning<Value>(parameter: Parameter<Value>, what: string): Parameter<Value> {
  const form = 'description' in parameter.schema ? `; ${parameter.schema.description}` : '';
  return { ...parameter, schema: described(parameter.schema, `${what}${form}`) };
}

/** The `querystring` part of a route's schema. It documents only, so it does not type `request.query`. */
export function queryDocumentation(known: Parameters): TSchema {
  return Type.Object(
    Object.fromEntries(Object.entries(known).map(([name, { schema }]) => [name, Type.Optional(schema)])),
  );
}

function readParameter(parameter: Parameter<unknown> | undefined, came: unknown): Reading<unknown> | undefined {
  if (parameter === undefined) return undefined;
  return typeof came === 'string' ? parameter.read(came) : { complaint: 'came more than once: give it once' };
}

export const text: Parameter<string> = { read: (value) => ({ value }), schema: Type.String() };

/** `limit` and `cursor` of every list. */
export const PAGE = {
  limit: meaning(wholeNumber({ from: 1, to: MAX_LIMIT, usually: DEFAULT_LIMIT }), `more counts as ${MAX_LIMIT}`),
  cursor: { ...text, schema: Type.String({ description: '`nextCursor` of the page before' }) },
};

/** The page that a query asks for. */
export function pageRequest(values: { limit?: number; cursor?: string }): PageRequest {
  const { limit = DEFAULT_LIMIT, cursor } = values;
  return { limit, cursor };
}

/** A comma list of words. A word nobody has is kept, so that it matches nothing, and said. */
export function words(known: readonly string[]): Parameter<string[]> {
  return {
    read(came) {
      const value = came.split(',').map((word) => word.trim());
      const unknown = value.filter((word) => !known.includes(word));
      if (unknown.length === 0) return { value };
      return {
        value,
        notice: `Nothing has the value ${unknown.map(quoted).join(', ')}.${didYouMean(unknown, known)} Known are ${known.join(', ')}.`,
      };
    },
    schema: Type.String({ description: `comma list of ${known.join(', ')}` }),
  };
}

const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A moment as epoch milliseconds: an ISO time, epoch milliseconds, or a span back from now such as `15m`. */
export function instant(nowMs: () => number): Parameter<number> {
  return {
    read(came) {
      const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(came) ?? [];
      if (count !== undefined && unit !== undefined) return { value: nowMs() - Number(count) * (UNIT_MS[unit] ?? 0) };
      return /^\d{1,15}$/.test(came) ? epochMs(Number(came)) : isoTime(came);
    },
    schema: Type.String({
      description: 'an ISO time with Z or an offset, epoch milliseconds, or a span back from now such as `15m`',
    }),
  };
}

/**
 * As milliseconds this is a moment of 1973, as seconds one of the year 5138: a smaller number was most likely meant in
 * seconds.
 */
const FEWEST_MS = 100_000_000_000;

/** Zero is the beginning in either unit. */
function epochMs(value: number): Reading<number> {
  if (value === 0 || value >= FEWEST_MS) return { value };
  return { complaint: 'must be in milliseconds where it is a number; in seconds, multiply it by 1000' };
}

function isoTime(came: string): Reading<number> {
  // A plus sign that was not escaped arrives as a space.
  const iso = came.replace(' ', '+');
  const ms = ISO_TIME.test(iso) ? Date.parse(iso) : Number.NaN;
  if (!Number.isNaN(ms)) return { value: ms };
  const zoned = `${came.replace(' ', 'T')}Z`;
  if (ISO_TIME.test(zoned) && came.includes(':'))
    return { complaint: `must say its zone: Z for UTC, or an offset such as +02:00, as in ${zoned}` };
  return { complaint: 'must be an ISO time with Z or an offset, epoch milliseconds, or a span such as 15m' };
}

/** `true` or `false`. */
export const trueOrFalse: Parameter<boolean> = {
  read: (came) =>
    came === 'true' || came === 'false' ? { value: came === 'true' } : { complaint: 'must be true or false' },
  schema: Type.Boolean(),
};

/** A number within bounds; more counts as the most. */
export function wholeNumber({ from, to, usually }: { from: number; to: number; usually: number }): Parameter<number> {
  return {
    read(came) {
      if (!/^\d{1,9}$/.test(came) || Number(came) < from)
        return { complaint: `must be a number from ${from} to ${to}` };
      return { value: Math.min(Number(came), to) };
    },
    schema: Type.Integer({ minimum: from, maximum: to, default: usually }),
  };
}

const WINDOW_UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 90 * 86_400_000;

const span = (usually: string): Parameter<number> => ({
  read(came) {
    const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(came) ?? [];
    const lengthMs = Number(count) * (WINDOW_UNIT_MS[unit ?? ''] ?? Number.NaN);
    return lengthMs > 0 && lengthMs <= LONGEST_MS
      ? { value: lengthMs }
      : { complaint: 'must be a span from 1m to 90d, such as 15m, 24h or 7d' };
  },
  // As a `default` the page of documentation would send it beside `from` and `to`.
  schema: Type.String({
    description: `a span back from now, from 1m to 90d, such as \`15m\`, \`24h\` or \`7d\`; ${usually} by default`,
  }),
});

/** `window`, or `from` and `to`, of everything that is measured over time. */
export function windowParameters(usually: string) {
  return {
    window: span(usually),
    from: meaning(instant(Date.now), 'where the window begins, together with `to` and instead of `window`'),
    to: meaning(instant(Date.now), 'where the window ends, at most 90 days after `from`'),
  };
}

/** The requested window; by default the last `usualMs`. */
export function windowRequest(
  values: { window?: number; from?: number; to?: number },
  usualMs: number,
): WindowRequest | HttpRefusal {
  const { window, from, to } = values;
  if (from === undefined && to === undefined) return { lengthMs: window ?? usualMs };
  if (from === undefined) return refused('from', 'must come together with "to", and without "window"');
  if (to === undefined) return refused('to', 'must come together with "from", and without "window"');
  if (window !== undefined) return refused('window', 'cannot come together with "from" and "to": leave out it or them');
  if (to <= from || to - from > LONGEST_MS) return refused('to', 'must be after "from", by at most 90 days');
  return { fromMs: from, toMs: to };
}

function refused(name: string, message: string): HttpRefusal {
  return validationFailed('query', [{ pointer: `/${name}`, message }]);
}
