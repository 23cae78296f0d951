import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import {
  MOST_FAULTS,
  pointerToken,
  type SchemaFault,
  schemaFaults,
  unknownProperty,
} from '../../contract/schema-faults.ts';
import { referencesIn } from '../task-references.ts';

/**
 * The faults in parameters that refer to results of earlier steps, as far as they are known now: a reference may become any
 * value, and everything around it must fit the schema.
 */
export function openFaults(schema: TSchema, value: unknown, pointer = ''): SchemaFault[] {
  if (typeof value !== 'object' || value === null || referencesIn(value).length === 0)
    return Check(schema, value) ? [] : schemaFaults(schema, value).map((fault) => within(pointer, fault));
  if (Object.hasOwn(value, '$from')) return [];
  const properties: unknown = Reflect.get(schema, 'properties');
  const faults: SchemaFault[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (faults.length >= MOST_FAULTS) break;
    const place = `${pointer}/${pointerToken(name)}`;
    const known = schemaOf(properties, name);
    if (known === undefined) faults.push(unknownProperty(place, Object.keys(Object(properties))));
    else faults.push(...openFaults(known, member, place));
  }
  return faults.slice(0, MOST_FAULTS);
}

function schemaOf(properties: unknown, name: string): TSchema | undefined {
  const isKnown = typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name);
  return isKnown ? Reflect.get(properties, name) : undefined;
}

function within(pointer: string, fault: SchemaFault): SchemaFault {
  return { ...fault, pointer: pointer + fault.pointer };
}
