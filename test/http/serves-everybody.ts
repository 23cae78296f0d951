import type { PeerGate } from '../../src/peers/gate.ts';
import type { FindProgram } from '../../src/peers/program.ts';

/** A gate that does not look. */
export const servesEverybody: PeerGate = async () => ({ peer: { kind: 'unknown', because: 'nobody looked' } });

/** Finds no program. */
export const knowsNoProgram: FindProgram = async () => ({ kind: 'unknown', because: 'nobody looked' });
