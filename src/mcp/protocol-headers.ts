import { member } from './client-claim.ts';

/** Says that the program which started this one is the client. The daemon believes it of Handrail's own program alone. */
export const STDIO_HEADER = 'x-handrail-stdio';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/**
 * The headers that repeat parts of a message: since protocol 2026-07-28 each message names its version, and its method and the name of its
 * tool or resource stand beside it. A client of 2025 agreed on a version once.
 */
export function protocolHeaders(message: unknown, agreed: string | undefined): Record<string, string> {
  const params = member(message, 'params');
  const version = member(member(params, '_meta'), VERSION);
  if (typeof version !== 'string') return agreed === undefined ? {} : { 'mcp-protocol-version': agreed };
  const [method, named] = [member(message, 'method'), member(params, 'name') ?? member(params, 'uri')];
  return {
    'mcp-protocol-version': headerText(version),
    ...(typeof method === 'string' && { 'mcp-method': headerText(method) }),
    ...(typeof named === 'string' && { 'mcp-name': headerText(named) }),
  };
}

/** A header holds visible ASCII; other texts are sent in the form that the protocol gives for them. */
function headerText(text: string): string {
  return /^[!-~]+(?: [!-~]+)*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
