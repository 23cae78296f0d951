/** The refusal while an app has asked macOS to show the keys to nobody else. */
export const SECURE = {
  code: 'invalid_target',
  message:
    'An app keeps the keyboard for itself (secure input), as a password field does. Handrail types no passwords.',
  fix: 'Leave the password field. In Terminal or iTerm, switch Secure Keyboard Entry off.',
} as const;
