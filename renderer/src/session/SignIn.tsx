import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { readSignInCode } from '../../../src/contract/sign-in-code.ts';
import type { SessionNotice } from './session.ts';

type Props = {
  isBusy: boolean;
  notice: SessionNotice | undefined;
  onCode: (code: string) => void;
  /** Signs in without a code, in a window of the Mac app. */
  onHere: (() => Promise<void>) | undefined;
};

const NO_CODE: SessionNotice = {
  tone: 'problem',
  text: 'A code has eight letters and digits, such as 7KQF-3XWA. It has no 0, 1, I, L or O.',
};

const MARK = new URL('../handrail.svg', import.meta.url).href;

/** No `<form>`: the policy of the page forbids sending any. */
export function SignIn({ isBusy, notice, onCode, onHere }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const [isMistyped, setMistyped] = useState(false);
  const shown = isMistyped ? NO_CODE : notice;
  const submit = () => {
    const code = readSignInCode(field.current?.value ?? '');
    setMistyped(code === '');
    if (code !== '' && !isBusy) onCode(code);
  };
  const submitOnReturn = (event: KeyboardEvent) => {
    if (event.key === 'Enter') submit();
  };
  if (onHere !== undefined) return <SignInHere isBusy={isBusy} notice={notice} onHere={onHere} />;
  return (
    <main className="sign-in">
      <img src={MARK} alt="" width={36} height={36} />
      <h1>Sign in to Handrail</h1>
      <p>Type the one-use code from Handrail’s terminal.</p>
      <p role="alert" className="sign-in-notice" data-tone={shown?.tone} hidden={shown === undefined}>
        {shown?.text}
      </p>
      <label htmlFor="code">One-use code</label>
      <div className="sign-in-row">
        <input
          id="code"
          ref={field}
          // No accessibility tree and no picture shows it while it is typed.
          type="password"
          className="verbatim"
          placeholder="XXXX-XXXX"
          autoComplete="one-time-code"
          onKeyDown={submitOnReturn}
        />
        <button type="button" className="primary" aria-disabled={isBusy} onClick={submit}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </div>
      <p className="hint">
        Press <kbd>Enter</kbd> there for a fresh one. No terminal? Run <code>handrail login</code>, or{' '}
        <code>npm run login</code> in a clone. A code works once, within ten minutes.
      </p>
    </main>
  );
}

/** In a window of the Mac app no code is needed. */
function SignInHere({ isBusy, notice, onHere }: Pick<Props, 'isBusy' | 'notice'> & { onHere: () => Promise<void> }) {
  return (
    <main className="sign-in">
      <img src={MARK} alt="" width={36} height={36} />
      <h1>Sign in to Handrail</h1>
      <p role="alert" className="sign-in-notice" data-tone={notice?.tone} hidden={notice === undefined}>
        {notice?.text}
      </p>
      <button type="button" className="primary" aria-disabled={isBusy} onClick={() => void onHere()}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
    </main>
  );
}
