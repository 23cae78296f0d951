import { type KeyboardEvent, useRef } from 'react';
import type { SessionNotice } from './session.ts';
import { signInCode } from './sign-in-code.ts';

type Props = { isBusy: boolean; notice: SessionNotice | undefined; onCode: (code: string) => void };

/** No `<form>`: the policy of the page forbids sending any. */
export function SignIn({ isBusy, notice, onCode }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const submit = () => {
    const code = signInCode(field.current?.value ?? '');
    if (code !== '' && !isBusy) onCode(code);
  };
  const submitOnReturn = (event: KeyboardEvent) => {
    if (event.key === 'Enter') submit();
  };
  return (
    <main className="sign-in">
      <h1>Sign in to Handrail</h1>
      <p>Only the person at this computer can sign in, with a one-use code that Handrail shows them.</p>
      <p role="alert" className="sign-in-notice" data-tone={notice?.tone} hidden={notice === undefined}>
        {notice?.text}
      </p>
      <label htmlFor="code">One-use code, or the whole sign-in address</label>
      <div className="sign-in-row">
        <input
          id="code"
          ref={field}
          className="verbatim"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onKeyDown={submitOnReturn}
        />
        <button type="button" className="primary" aria-disabled={isBusy} onClick={submit}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </div>
      <p className="hint">
        For a fresh code, press <kbd>Enter</kbd> in the terminal Handrail runs in and open the address it prints. A code
        works once, for ten minutes.
      </p>
    </main>
  );
}
