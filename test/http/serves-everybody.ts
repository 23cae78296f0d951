import type { PeerGate } from '../../src/services/peers/gate.ts';
import type { FindProgram } from '../../src/services/peers/program.ts';

/** A gate that does not look. */
export const servesEverybody: PeerGate = async () => ({ peer: { kind: 'unknown', because: 'nobody looked' } });

/** Finds no program. */
export const knowsNoProgram: FindProgram = async () => ({ kind: 'unknown', because: 'nobody looked' });
