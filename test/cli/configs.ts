/** Files as the clients write them and as people edit them. */
type Config = { client: string; name: string; file: string; servers: string; text: string };

/** Where each client has its file, and under which key its servers stand there. */
const FILES: Readonly<Record<string, { file: string; servers: string }>> = {
  'claude-code': { file: '.claude.json', servers: 'mcpServers' },
  vscode: { file: '.config/Code/User/mcp.json', servers: 'servers' },
  cursor: { file: '.cursor/mcp.json', servers: 'mcpServers' },
  'claude-desktop': { file: '.config/Claude/claude_desktop_config.json', servers: 'mcpServers' },
  codex: { file: '.codex/config.toml', servers: 'mcp_servers' },
  goose: { file: '.config/goose/config.yaml', servers: 'extensions' },
};

const TEXTS: readonly Omit<Config, 'file' | 'servers'>[] = [
  {
    client: 'claude-code',
    name: 'a file of its own with projects and another server',
    text: `{
  "numStartups": 34,
  "installMethod": "native",
  "tipsHistory": {
    "new-user-warmup": 1
  },
  "projects": {
    "/home/ann/work": {
      "allowedTools": [],
      "mcpServers": {},
      "hasTrustDialogAccepted": true
    }
  },
  "mcpServers": {
    "github": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_0123" }
    }
  },
  "userID": "ü€ 0f3c",
  "lastOnboardingVersion": "2.0.1"
}`,
  },
  { client: 'claude-code', name: 'no servers yet', text: '{\n  "numStartups": 1\n}\n' },
  { client: 'claude-code', name: 'one line', text: '{"a":1,"mcpServers":{"b":{"command":"c"}}}' },
  { client: 'claude-code', name: 'an empty list', text: '{\n  "mcpServers": {}\n}\n' },
  { client: 'claude-code', name: 'an empty object', text: '{}' },
  { client: 'claude-code', name: 'nothing in it', text: '' },
  {
    client: 'vscode',
    name: 'comments, trailing commas and inputs',
    text: `// my servers
{
	/* keys are asked for */
	"inputs": [
		{ "type": "promptString", "id": "key", "description": "the key", "password": true, },
	],
	"servers": {
		// from the team
		"memory": {
			"command": "npx",
			"args": ["-y", "@modelcontextprotocol/server-memory",], // pinned elsewhere
		},
		"remote": { "type": "http", "url": "https://example.org/mcp" }, // the last one
		// "old": { "command": "gone" },
	}, // end of servers
}
`,
  },
  {
    client: 'vscode',
    name: 'a comment behind the last server, and no comma',
    text: `{
    "servers": {
        "memory": { "command": "npx" } // keep, me
    }
}
`,
  },
  {
    client: 'vscode',
    name: 'line ends of Windows',
    text: '{\r\n  "servers": {\r\n    "a": {\r\n      "command": "b"\r\n    }\r\n  }\r\n}\r\n',
  },
  {
    client: 'cursor',
    name: 'two servers in tabs',
    text: '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "b"\n\t\t},\n\t\t"c": {\n\t\t\t"url": "https://example.org"\n\t\t}\n\t}\n}\n',
  },
  {
    client: 'claude-desktop',
    name: 'other settings behind the servers',
    text: '{\n  "mcpServers": {\n    "fs": {\n      "command": "npx",\n      "args": ["fs", "/a]}"]\n    }\n  },\n  "globalShortcut": ""\n}',
  },
  {
    client: 'codex',
    name: 'other tables, texts of several lines and comments',
    text: `# my settings
model = "gpt-5.1-codex"
notify = [
  "say", # a comment
  "[mcp_servers.handrail]",
]
instructions = """
[mcp_servers.handrail_not]
"""

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]

[mcp_servers.docs.env]
KEY = "value"   # aligned

# trust
[projects."/home/ann/work"]
trust_level = "trusted"
`,
  },
  { client: 'codex', name: 'no line end at its end', text: 'model = "x"\n\n[mcp_servers.a]\ncommand = "b"' },
  { client: 'codex', name: 'no servers', text: 'model = "x"\n' },
  { client: 'codex', name: 'line ends of Windows', text: 'model = "x"\r\n\r\n[mcp_servers.a]\r\ncommand = "b"\r\n' },
  {
    client: 'goose',
    name: 'other extensions, comments and several keys',
    text: `# goose
GOOSE_PROVIDER: anthropic   # paid
GOOSE_MODEL: 'claude'
extensions: # mine
  # built in
  developer:
    bundled: true
    enabled: true
    name: developer
    type: builtin

  github:
    args: [-y, "@modelcontextprotocol/server-github"]
    cmd: npx
    description: |
      several
      lines
    enabled: false
    envs: {}
    # trailing comment

keyring: false
`,
  },
  {
    client: 'goose',
    name: 'extensions at the end, without a line end',
    text: 'a: 1\nextensions:\n    developer:\n        enabled: true',
  },
  { client: 'goose', name: 'an empty list', text: 'a: 1\nextensions: {}\nb: 2\n' },
  { client: 'goose', name: 'no extensions', text: 'a: 1\n' },
  {
    client: 'goose',
    name: 'line ends of Windows',
    text: 'a: 1\r\nextensions:\r\n  developer:\r\n    enabled: true\r\n',
  },
];

export const CONFIGS: readonly Config[] = TEXTS.map((each) => ({
  file: '',
  servers: '',
  ...FILES[each.client],
  ...each,
}));
