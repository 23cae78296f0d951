/** The one-use code behind `/login#`, or in a whole address that was pasted; an empty string if there is none. */
export function signInCode(text: string): string {
  const code = text.trim().split('#').at(-1) ?? '';
  return /^[\w-]{1,128}$/.test(code) ? code : '';
}

type Place = { location: Pick<Location, 'pathname' | 'hash'>; history: Pick<History, 'replaceState'> };

/** Takes the code out of the address at once: it must not stay in the address bar, the history or a screenshot. */
export function takeSignInCode({ location, history }: Place): string {
  const code = location.pathname === '/login' && location.hash !== '' ? signInCode(location.hash) : '';
  if (location.hash !== '' || location.pathname !== '/') history.replaceState(null, '', '/');
  return code;
}
