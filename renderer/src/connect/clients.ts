/** The MCP clients that `handrail connect` knows. `next`: the step that makes the client read its settings again. */
export const CLIENTS = [
  { name: 'claude-code', title: 'Claude Code', next: 'Then start a new session of Claude Code.' },
  { name: 'claude-desktop', title: 'Claude Desktop', next: 'Then quit Claude Desktop and open it again.' },
  { name: 'cursor', title: 'Cursor', next: 'Cursor then finds Handrail under Settings → MCP.' },
  { name: 'vscode', title: 'VS Code', next: 'Then run “MCP: List Servers” in VS Code and start handrail.' },
  { name: 'codex', title: 'Codex', next: 'Then start a new session of Codex.' },
  { name: 'goose', title: 'Goose', next: 'Then start a new session of Goose.' },
] as const;

/** The name that an MCP client gives itself, taken from its user id. Other user ids stay as they are. */
export function claimedName(userId: string): string {
  const [, name] = /^mcp:(.+)$/s.exec(userId) ?? [];
  return name ?? userId;
}
