import 'react';

declare module 'react' {
  interface CSSProperties {
    /** How long the bar on Allow takes to fill. */
    '--delay'?: string;
  }
}
