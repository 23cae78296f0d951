/** Does something in another time zone than the machine's. */
export function inTimeZone(name: string, act: () => void): void {
  const own = process.env.TZ;
  process.env.TZ = name;
  try {
    act();
  } finally {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  }
}
