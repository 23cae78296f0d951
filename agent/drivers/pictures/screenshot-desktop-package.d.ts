/** The part of screenshot-desktop that the drivers use; the package brings no types. */
declare module 'screenshot-desktop' {
  type Options = {
    /** A display's index on macOS, its name on Linux. */
    screen?: number | string;
    format?: 'png' | 'jpg' | 'tiff';
  };
  /** `offsetX` and `offsetY` are there on Linux only. */
  type Listed = { id: number | string; width: number; height: number; offsetX: number; offsetY: number };
  const screenshot: { (options?: Options): Promise<Buffer>; listDisplays(): Promise<Listed[]> };
  export = screenshot;
}
