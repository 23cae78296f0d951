import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A check of values against a schema. It compiles the schema on its first use: that takes milliseconds, and a run uses few schemas. */
export function lazyCheck<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let validator: ReturnType<typeof Compile> | undefined;
  return (value): value is Static<Schema> => {
    validator ??= Compile(schema);
    return validator.Check(value);
  };
}
