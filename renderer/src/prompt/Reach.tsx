import type { ScriptView } from '../../../src/contract/scripts.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Fact } from './Fact.tsx';

/** The places and hosts that a script may read, write and reach. */
export function Reach({ script: { reads, writes, network } }: { script: ScriptView }) {
  const rows = [
    ['Reads', reads],
    ['Writes', writes],
    ['Network', network],
  ] as const;
  return (
    <>
      {rows.map(([name, places]) => (
        <Fact key={name} name={name}>
          <VisibleText>{places.join(', ') || 'nothing'}</VisibleText>
        </Fact>
      ))}
      <Fact name="Undo">not possible</Fact>
    </>
  );
}
