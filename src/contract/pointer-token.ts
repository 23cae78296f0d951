/** One name of a JSON Pointer with the escapes of RFC 6901. A name too long to be read is cut. */
export function pointerToken(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
