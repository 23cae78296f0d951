/** The part of screenshot-desktop that the drivers use; the package brings no types. */
declare module 'screenshot-desktop' {
  function screenshot(options?: {
    /** A display's index on macOS, its name on Linux. */
    screen?: number | string;
    format?: 'png' | 'jpg';
  }): Promise<Buffer>;
  export = screenshot;
}
