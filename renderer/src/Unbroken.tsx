import { useContext } from 'react';
import { HomeContext, withHome } from './home.ts';
import { VisibleText } from './VisibleText.tsx';

/**
 * A command or a path that takes a new line only after a space or a slash, while a part of it fits in one: after a hyphen a reader
 * could not tell whether the hyphen belongs to it.
 */
export function Unbroken({ children, after }: { children: string; after: ' ' | '/' }) {
  const parts = withHome(children, useContext(HomeContext)).split(after);
  let position = 0;
  return parts.map((part, index) => {
    const key = position;
    position += part.length + 1;
    const isLast = index === parts.length - 1;
    return (
      <span key={key}>
        <span className="unbroken">
          <VisibleText>{after === '/' && !isLast ? `${part}/` : part}</VisibleText>
        </span>
        {after === ' ' && !isLast && ' '}
      </span>
    );
  });
}
