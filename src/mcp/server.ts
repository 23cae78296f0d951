import {
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { isRefusal } from '../services/refusal.ts';
import type { Caller, Tell } from './caller.ts';
import type { createToolCalls } from './calls.ts';
import { ARTIFACT_TEMPLATE, type ReadAddress } from './resources.ts';
import { instructionsFor, type Tool } from './tools.ts';

type Parts = {
  tools: readonly Tool[];
  /** Those of the requester alone. */
  ownTools(userId: string): readonly Tool[];
  version: string;
  readAddress: ReadAddress;
  call: ReturnType<typeof createToolCalls>;
};

/** Answers one request of a client, in the protocol that the client speaks. */
export function serve(caller: Caller, parts: Parts): McpHttpHandler {
  return createMcpHandler(() => createServer(caller, parts), { maxSubscriptions: 0 });
}

function createServer(caller: Caller, { tools, ownTools, version, readAddress, call }: Parts): Server {
  const server = new Server(
    { name: 'handrail', title: 'Handrail', version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructionsFor(tools) },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools, ...ownTools(caller.userId)] }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    const tell: Tell = async (message, { elapsedMs, holdMs }) => {
      if (token === undefined || caller.hurry.aborted) return;
      const progress = { progressToken: token, progress: elapsedMs / 1_000, total: holdMs / 1_000, message };
      await mcpReq.notify({ method: 'notifications/progress', params: progress });
    };
    return call({ name: params.name, args: params.arguments ?? {} }, { caller, tell });
  });
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [ARTIFACT_TEMPLATE] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const content = await readAddress(caller.userId, uri);
    if (content === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No such resource.');
    if (isRefusal(content)) {
      caller.refused(content);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${content.refused}: ${content.detail}`);
    }
    return { contents: [{ uri, mimeType: content.mediaType, blob: content.bytes.toString('base64') }] };
  });
  return server;
}
