/** Tells whether a value that was stored as JSON is a fact of a kind. */
type Fact<Value> = (value: unknown) => value is Value;

export const text = (value: unknown): value is string => typeof value === 'string';

export const amount = (value: unknown): value is number => typeof value === 'number';

export const flag = (value: unknown): value is boolean => typeof value === 'boolean';

export const texts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(text);

export function oneOf<const Word extends string>(words: readonly Word[]): Fact<Word> {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value): value is Word => known.has(value);
}

export function nullable<Value>(fact: Fact<Value>): Fact<Value | null> {
  return (value): value is Value | null => value === null || fact(value);
}

/** A fact that not every event of its kind carries. */
export function optional<Value>(fact: Fact<Value>): Fact<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || fact(value);
}

/** The facts of one kind of event, by name. */
export type FactTable = { readonly [name: string]: Fact<unknown> };

type Value<Each> = Each extends Fact<infer Known> ? Known : never;

/** The facts as the daemon writes them: all but the optional ones are there. */
export type WrittenFacts<Table extends FactTable> = {
  [Name in keyof Table as undefined extends Value<Table[Name]> ? never : Name]: Value<Table[Name]>;
} & {
  [Name in keyof Table as undefined extends Value<Table[Name]> ? Name : never]?: Exclude<Value<Table[Name]>, undefined>;
};

/** The facts as the journal has them: another version of the daemon may have written fewer. */
export type RecordedFacts<Table extends FactTable> = {
  [Name in keyof Table]?: Exclude<Value<Table[Name]>, undefined>;
};
