import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { pointerToken, type SchemaFault, schemaFaults, unknownProperty } from '../../contract/schema-faults.ts';
import { referencesIn } from '../task-references.ts';

/**
 * What is wrong with parameters of which parts come from earlier steps, as far as that is known now: a reference may become
 * anything, and everything around it must fit the schema.
 */
export function openFaults(schema: TSchema, value: unknown, pointer = ''): SchemaFault[] {
  if (typeof value !== 'object' || value === null || referencesIn(value).length === 0)
    return Check(schema, value)
      ? []
      : schemaFaults(schema, Errors(schema, value)).map((fault) => within(pointer, fault));
  if (Object.hasOwn(value, '$from')) return [];
  const properties: unknown = Reflect.get(schema, 'properties');
  return Object.entries(value).flatMap(([name, member]) => {
    const place = `${pointer}/${pointerToken(name)}`;
    const known = schemaOf(properties, name);
    return known === undefined
      ? [unknownProperty(place, Object.keys(Object(properties)))]
      : openFaults(known, member, place);
  });
}

function schemaOf(properties: unknown, name: string): TSchema | undefined {
  const isKnown = typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name);
  return isKnown ? Reflect.get(properties, name) : undefined;
}

function within(pointer: string, fault: SchemaFault): SchemaFault {
  return { ...fault, pointer: pointer + fault.pointer };
}
