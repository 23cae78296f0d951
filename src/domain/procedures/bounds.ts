import { isAbsolute, join, normalize } from 'node:path';
import { RE2JS } from 're2js';
import { type Bound, MAX_ARGUMENT, type ProcedureSubmission } from '../../contract/procedure.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import { isWithin } from '../catalogue/file-target.ts';

export type Arguments = Readonly<Record<string, string | number>>;

/** The values for the parameters of a procedure, or what is wrong with them. Paths come out absolute and plain. `home`: an absolute path. */
export function readArguments(
  { parameters }: Pick<ProcedureSubmission, 'parameters'>,
  given: Readonly<Record<string, unknown>>,
  home: string,
): { ok: true; values: Arguments } | { ok: false; faults: SchemaFault[] } {
  const unknown = Object.keys(given)
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => ({ pointer: `/${name.slice(0, 100)}`, message: `is not known (known: ${names(parameters)})` }));
  const read = Object.entries(parameters).map(([name, bound]) => {
    const value = Object.hasOwn(given, name) ? withinBound(bound, given[name], home) : { message: 'is missing' };
    return [name, value] as const;
  });
  const faults = read.flatMap(([name, value]) =>
    typeof value === 'object' ? [{ pointer: `/${name}`, message: value.message }] : [],
  );
  if (unknown.length + faults.length > 0) return { ok: false, faults: [...unknown, ...faults] };
  const values = read.flatMap(([name, value]) => (typeof value === 'object' ? [] : [[name, value] as const]));
  return { ok: true, values: Object.fromEntries(values) };
}

function names(parameters: ProcedureSubmission['parameters']): string {
  return Object.keys(parameters).join(', ') || 'none';
}

function withinBound(bound: Bound, value: unknown, home: string): string | number | { message: string } {
  if (bound.type === 'number') {
    const { minimum, maximum, isWhole = false } = bound;
    const fits = typeof value === 'number' && value >= minimum && value <= maximum;
    if (fits && (!isWhole || Number.isInteger(value))) return value;
    return { message: `must be a ${isWhole ? 'whole ' : ''}number from ${minimum} to ${maximum}` };
  }
  if (typeof value !== 'string' || value.length > MAX_ARGUMENT)
    return { message: `must be a text of at most ${MAX_ARGUMENT} characters` };
  switch (bound.type) {
    case 'choice':
      return bound.values.includes(value) ? value : { message: `must be one of ${JSON.stringify(bound.values)}` };
    case 'text':
      return textFault(bound, value) ?? value;
    case 'path':
      return placeUnder(bound.under, value, home) ?? { message: `must be a path in ${bound.under}` };
  }
}

function textFault({ maxLength, pattern }: Extract<Bound, { type: 'text' }>, value: string) {
  if (value.length > maxLength) return { message: `must have at most ${maxLength} characters` };
  if (pattern === undefined || RE2JS.matches(pattern, value)) return undefined;
  return { message: `must match ${pattern}` };
}

/** The plain path of a file in a folder, as it is written; the file system is not asked. */
function placeUnder(under: string, path: string, home: string): string | undefined {
  const folder = placeOf(under, home);
  const place = placeOf(path, home);
  if (folder === undefined || place === undefined || place.includes('\0')) return undefined;
  return isWithin(place, folder) && place !== folder ? place : undefined;
}

/** A folder as an absolute plain path, without a slash at its end; undefined where it is written in another way. */
export function placeOf(path: string, home: string): string | undefined {
  const whole = path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
  if (!isAbsolute(whole) || normalize(whole) !== whole) return undefined;
  return whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole;
}

/** A pattern takes long to read before its size is known, so nothing more is read after one like that. */
export const TOO_LARGE = 'pattern repeats too much';

/** Why a bound can never be met or read, if so. */
export function boundFault(bound: Bound, home: string): string | undefined {
  switch (bound.type) {
    case 'choice':
      return undefined;
    case 'number':
      return bound.minimum > bound.maximum ? 'minimum is above maximum' : undefined;
    case 'path':
      return placeOf(bound.under, home) === undefined
        ? 'under must be an absolute path, or begin with ~/, and have no . or .. in it'
        : undefined;
    case 'text':
      return bound.pattern === undefined ? undefined : patternFault(bound.pattern, bound.maxLength);
  }
}

/** The instructions of a pattern times the characters that it may read: at most so many take a moment, whatever they are. */
const MOST_WORK = 500_000;

function patternFault(pattern: string, maxLength: number): string | undefined {
  try {
    const most = Math.floor(MOST_WORK / maxLength);
    return RE2JS.compile(pattern).programSize() > most ? `${TOO_LARGE} for ${maxLength} characters` : undefined;
  } catch {
    return 'pattern is no regular expression of RE2';
  }
}

/** The bound as JSON Schema, for callers that make a form of it. */
export function boundSchema(bound: Bound): Record<string, unknown> {
  switch (bound.type) {
    case 'choice':
      return { type: 'string', enum: [...bound.values] };
    case 'number':
      return { type: bound.isWhole === true ? 'integer' : 'number', minimum: bound.minimum, maximum: bound.maximum };
    case 'text':
      return {
        type: 'string',
        maxLength: bound.maxLength,
        ...(bound.pattern !== undefined && patternSchema(bound.pattern)),
      };
    case 'path':
      return { type: 'string', description: `a path in ${bound.under}` };
  }
}

/** JSON Schema has the expressions of JavaScript, which lacks some of RE2: a client may refuse all tools for one of them. */
function patternSchema(pattern: string): Record<string, string> {
  const whole = `^(?:${pattern})$`;
  try {
    new RegExp(whole, 'u');
    return { pattern: whole };
  } catch {
    return { description: `matches ${pattern} of RE2` };
  }
}
