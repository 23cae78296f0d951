/** Reads an answer to its end and drops it. Resolves with its status. */
export async function readWhole(url: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response.status;
}
