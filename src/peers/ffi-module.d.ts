/** The part of Node's foreign function interface that is used here. It is experimental, and an older Node does not have it. */
declare module 'node:ffi' {
  type Type = 'i32' | 'i64' | 'u64' | 'pointer';
  type Value<Of extends Type> = Of extends 'i32' ? number : bigint;
  type Values<Of extends readonly Type[]> = { -readonly [Index in keyof Of]: Value<Of[Index]> };
  type Signature = { arguments: readonly Type[]; return: Type };
  type Function<Of extends Signature> = (...values: Values<Of['arguments']>) => Value<Of['return']>;

  /** The functions of a library; with `null`, of the libraries that Node itself uses. Throws where one is missing. */
  export function dlopen<const Signatures extends Record<string, Signature>>(
    path: string | null,
    signatures: Signatures,
  ): { functions: { [Name in keyof Signatures]: Function<Signatures[Name]> } };

  /** The address of the bytes of a buffer. They must be kept alive as long as it is used. */
  export function getRawPointer(bytes: Uint8Array): bigint;
}
