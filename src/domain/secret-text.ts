/**
 * Which secret a text seems to hold ("a private key"), or nothing. It is about texts that are typed or put into an address: a question
 * too many costs a click, and a key in a public field cannot be taken back. A secret that is written in another form, such as encoded, is
 * not seen. The time is linear: each pattern has a bounded length.
 */
export function secretInText(text: string): string | undefined {
  const plain = text.normalize('NFKC').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  return SECRETS.find(({ pattern }) => pattern.test(plain))?.kind;
}

const SECRETS: readonly { kind: string; pattern: RegExp }[] = [
  { kind: 'a private key', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/u },
  {
    kind: 'a key of a service',
    pattern:
      /(?<![\p{L}\p{N}])(?:A(?:KIA|SIA)[A-Z0-9]{16}|gh[oprsu]_\w{20}|github_pat_\w{20}|glpat-[\w-]{20}|npm_\w{30}|sk-[\w-]{20}|[rs]k_live_\w{16}|xox[abeprs]-[\w-]{10}|AIza[\w-]{30}|ya29\.[\w-]{20}|SG\.[\w-]{16}|eyJ[\w-]{10,1000}\.eyJ[\w-]{10})/u,
  },
  {
    kind: 'a password or key',
    pattern:
      /(?:passwor[dt]|passwd|passphrase|passcode|pwd|mot de passe|contraseña|パスワード|密码|密碼|api[ _-]?key|access[ _-]?key|secret|token)["']?\s{0,3}(?:[:=：]|is)\s{0,3}["']?[^\s&"']{0,64}\d/iu,
  },
  // A word for a password with digits after it is how many people write one.
  { kind: 'a password', pattern: /(?<![\p{L}\p{N}])(?:pass(?:wor[dt]|wd)?|pwd)[!@#$]?\d{2}/iu },
];
