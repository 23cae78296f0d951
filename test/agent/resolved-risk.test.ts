import { describe, expect, test } from 'vitest';
import { type AppIdentity, refuseApp, resolvedApp, risksOf } from '../../agent/drivers/apps/resolved-risk.ts';
import type { Attempt } from '../../agent/drivers/outcome.ts';

function refusalOf(identity: AppIdentity, judged: Partial<Attempt>) {
  const attempt = { signal: new AbortController().signal, deadlineMs: 5_000, ...judged };
  return refuseApp(identity.name, resolvedApp(identity), attempt);
}

const notes = { name: 'Harmless Notes', alsoKnownAs: ['notes', 'xterm'] };

describe('an app whose entry reveals a medium risk', () => {
  const shell = {
    name: 'Tool',
    alsoKnownAs: ['tool'],
    risks: [{ level: 'medium', reason: '“Tool” runs sh.' }],
  } as const;

  test('keeps that risk beside a sensitive name', () => {
    expect(risksOf({ ...shell, alsoKnownAs: ['xterm'] })).toEqual([
      { level: 'high', reason: '“Tool” leads to “xterm”, which is a terminal.' },
      { level: 'medium', reason: '“Tool” runs sh.' },
    ]);
  });
});

test('Handrail under another name is never touched', () => {
  const disguised = { name: 'Helper', alsoKnownAs: ['com.example.handrail'] };
  expect(refusalOf(disguised, {})).toMatchObject({
    code: 'invalid_target',
    sideEffect: 'none',
  });
});

describe('an app that was judged as a target', () => {
  const judged = resolvedApp(notes);
  const targets: Attempt['targets'] = [{ kind: 'app', name: 'Harmless Notes', app: judged }];

  test('is touched while it is the same', () => {
    expect(refusalOf(notes, { targets })).toBeNull();
  });

  test.each([
    ['which app it is', { ...notes, bundleId: 'org.example.other' }],
    ['the programs or names behind it', { ...notes, alsoKnownAs: ['notes', 'xterm', 'sh'] }],
    ['its risks', { ...notes, risks: [{ level: 'critical', reason: 'It erases the disk.' }] as const }],
  ])('is refused when another app is behind the name by now: %s', (fact, now) => {
    const refusal = refusalOf(now, { targets });
    expect(refusal).toMatchObject({ code: 'target_changed', sideEffect: 'none' });
    expect(refusal?.message).toContain(`Changed: ${fact}`);
    expect(refusal?.message).not.toMatch(/other|erases/);
  });

  test('is refused as Handrail, even if Handrail was judged', () => {
    const own = { name: 'Helper', alsoKnownAs: ['com.example.handrail'] };
    const asOwn: Attempt['targets'] = [{ kind: 'app', name: 'Helper', app: resolvedApp(own) }];
    expect(refusalOf(own, { targets: asOwn })).toMatchObject({ code: 'invalid_target' });
  });
});
