/** Saves a file as the browser saves files. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  // Some systems take no colon in a name.
  link.download = `Handrail ${name.replaceAll(/[^A-Za-z0-9. -]/g, '-')}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
