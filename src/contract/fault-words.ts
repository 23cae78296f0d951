import type { TLocalizedValidationError } from 'typebox/error';
import { PROFILE_NAME } from './action.ts';
import { DEVICE_TYPE } from './device.ts';
import { STEP_ID } from './task.ts';

/** The expectation that a value failed, to be put after its name: `must be a string`. */
export function faultWords(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case 'type':
      return `must be ${[error.params.type].flat().map(named).join(' or ')}`;
    case 'pattern':
      return PATTERNS.get(String(error.params.pattern)) ?? error.message;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'minItems':
      return `must have at least ${counted(error.params.limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(error.params.limit, 'item')}`;
    case 'minLength':
      return `must have at least ${counted(error.params.limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(error.params.limit, 'character')}`;
    default:
      return error.message;
  }
}

const PATTERNS: ReadonlyMap<string, string> = new Map([
  [DEVICE_TYPE, 'must be a lower-case word of at most 32 letters, digits and hyphens, such as macos'],
  [STEP_ID, 'must begin with a letter or digit and have at most 64 letters, digits and . _ : -'],
  [PROFILE_NAME, 'must be a lower-case word of at most 40 letters, digits and hyphens'],
]);

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  array: 'an array',
};

function named(type: string): string {
  return TYPES[type] ?? type;
}

function counted(count: number, what: string): string {
  return count === 1 ? `one ${what}` : `${count} ${what}s`;
}
