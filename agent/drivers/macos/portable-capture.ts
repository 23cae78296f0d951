/** A PNG of the main display, by screenshot-desktop: slow, as it asks for the system's hardware first. */
export async function portableCapture(): Promise<Uint8Array> {
  const { default: screenshot } = await import('screenshot-desktop');
  return screenshot({ format: 'png' });
}
