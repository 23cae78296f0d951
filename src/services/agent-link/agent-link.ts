import type { Transport } from '../../contract/transport.ts';
import type { AgentPort } from '../agent-port.ts';

/** The daemon's end of the agent link: the port the services use, and the door the agent comes in by. */
export type AgentLink = {
  port: AgentPort;
  door: AgentDoor;
};

/** What `http` needs to let an agent in: first `admit`, then, on `ok`, the upgrade and `attach`. */
export type AgentDoor = {
  /** Judges the bearer token of an upgrade (an empty string for none). `ok` spends it and must be followed by `attach`. */
  admit(token: string): 'ok' | 'invalid' | 'already_connected';
  /** Takes over the connection that was admitted; for `ws`: `attach(createWebSocketTransport(socket))`. */
  attach(transport: Transport): void;
};
