import { CommandError, EXIT } from './command.ts';

/**
 * Reads words such as `appName=xterm` as the parameters of an action type. A parameter that its schema takes as text keeps the text as
 * it is; of any other the value is read as JSON, so that `durationMs=500` is a number. `key:=json` is JSON in any case.
 */
export function readParameters(words: readonly string[], schema: unknown): Record<string, unknown> {
  return Object.fromEntries(words.map((word) => readWord(word, schema)));
}

function readWord(word: string, schema: unknown): [name: string, value: unknown] {
  const [, name = '', isJson, text = ''] = /^([A-Za-z][\w-]*)(:?)=([\s\S]*)$/.exec(word) ?? [];
  if (name === '') throw new CommandError(`"${word}" should have the form key=value.`, EXIT.usage);
  if (isJson !== ':' && takesText(schema, name)) return [name, text];
  return [name, jsonOf(text, { name, isStrict: isJson === ':' })];
}

function jsonOf(text: string, { name, isStrict }: { name: string; isStrict: boolean }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A value that is no JSON is text: the daemon says whether the parameter takes one.
    if (!isStrict) return text;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The value of ${name} should be JSON (${why}).`, EXIT.usage);
  }
}

function takesText(schema: unknown, name: string): boolean {
  const property = memberOf(memberOf(schema, 'properties'), name);
  const choices = memberOf(property, 'anyOf') ?? memberOf(property, 'oneOf') ?? [property];
  return Array.isArray(choices) && choices.some(isText);
}

function isText(schema: unknown): boolean {
  const constant = memberOf(schema, 'const');
  const values = memberOf(schema, 'enum');
  return memberOf(schema, 'type') === 'string' || typeof constant === 'string' || Array.isArray(values);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
