import { join } from 'node:path';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

export type Door = 'http' | 'stdio';
export type Protocol = '2025-06-18' | '2026-07-28';

export const WAYS: readonly (readonly [Door, Protocol])[] = [
  ['http', '2025-06-18'],
  ['http', '2026-07-28'],
  ['stdio', '2025-06-18'],
  ['stdio', '2026-07-28'],
];

type Way = { door: Door; protocol: Protocol; name?: string; headers?: Record<string, string> };

/** The official client, connected to a daemon. It is closed when the test ends. */
export async function connected(base: string, way: Way) {
  const connection = await connect(base, way);
  onTestFinished(() => connection.client.close());
  return connection;
}

export async function connect(base: string, { door, protocol, name = 'probe', headers = {} }: Way) {
  const client = new Client(
    { name, version: '1.0.0' },
    {
      capabilities: { elicitation: {} },
      ...(protocol === '2025-06-18'
        ? { supportedProtocolVersions: ['2025-06-18'] }
        : { versionNegotiation: { mode: 'auto' } }),
    },
  );
  const transport =
    door === 'http'
      ? new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } })
      : new StdioClientTransport({
          command: process.execPath,
          args: [join(import.meta.dirname, 'mcp-stdio.ts'), base],
        });
  await client.connect(transport);
  return { client, transport };
}

/** What a model reads of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
