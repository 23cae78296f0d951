import type { ReactNode } from 'react';

/** One fact of a prompt: its name and its text. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
