/** The keys and buttons that programs hold down, as another program asks the X server: `key[37]=down`. */
export async function heldDown(ask: (program: string, ...args: readonly string[]) => Promise<string>) {
  const devices = ['Virtual core XTEST keyboard', 'Virtual core XTEST pointer'];
  const states = await Promise.all(devices.map((name) => ask('xinput', 'query-state', name)));
  return states.flatMap((state) => state.match(/(?:key|button)\[\d+\]=down/g) ?? []);
}
