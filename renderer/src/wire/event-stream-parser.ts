/** One message of a `text/event-stream`; comments and empty messages are none. */
export type StreamMessage = { id: string | undefined; event: string; data: string };

/**
 * Cuts a `text/event-stream` that comes in pieces into messages, by the rules of the HTML standard (section 9.2.6), as
 * far as a reader needs them: `retry` is left to the caller's own backoff.
 */
export function createStreamParser(): { push(piece: string): StreamMessage[] } {
  let rest = '';
  let lines: string[] = [];
  return {
    push(piece) {
      const text = rest + piece;
      // A carriage return at the end may be the first half of a line end.
      const end = text.endsWith('\r') ? text.length - 1 : text.length;
      const parts = text.slice(0, end).split(/\r\n|\r|\n/);
      rest = (parts.pop() ?? '') + text.slice(end);
      const messages: StreamMessage[] = [];
      for (const line of parts) {
        if (line !== '') lines.push(line);
        else {
          messages.push(...messageOf(lines));
          lines = [];
        }
      }
      return messages;
    },
  };
}

function messageOf(lines: readonly string[]): StreamMessage[] {
  const fields = lines.filter((line) => !line.startsWith(':')).map(fieldOf);
  const valuesOf = (name: string) => fields.filter((field) => field.name === name).map(({ value }) => value);
  const data = valuesOf('data');
  if (data.length === 0) return [];
  return [{ id: valuesOf('id').at(-1), event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }];
}

function fieldOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: line, value: '' };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
}
