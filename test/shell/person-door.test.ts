import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleSession } from '../../src/contract/session.ts';
import type { PersonDoor } from '../../src/services/person-door.ts';
import { until } from '../desktop/processes.ts';
import { createPageKeys } from '../http/page-key.ts';
import { caller, type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

let rig: DaemonInProcess;
let person: PersonDoor;

beforeAll(async () => {
  rig = await startDaemonInProcess();
  person = rig.daemon.person;
});
afterAll(() => rig.end());

const sessionsOf = async (key: string) =>
  caller(`http://127.0.0.1:${rig.daemon.port}`)<{ items?: ConsoleSession[]; code?: string }>('/api/console/sessions', {
    authorization: `Bearer ${key}`,
  });

describe('the session of a window', () => {
  test('needs no code, is named after the app, and ends with the window', async () => {
    const { key } = person.openSession();
    const { items = [] } = await sessionsOf(key);
    expect(items.find(({ isCurrent }) => isCurrent)).toMatchObject({ program: 'the Handrail app' });
    person.closeSession(key);
    expect(await sessionsOf(key)).toMatchObject({ code: 'console_session_required', reason: 'signed_out' });
    expect(() => person.closeSession(key)).not.toThrow();
  });
});

test('A27: the session of a window takes only calls that its page has signed', async () => {
  const keys = createPageKeys();
  const { key } = person.openSession(keys.publicKey);
  expect(await sessionsOf(key)).toMatchObject({ code: 'console_session_required', reason: 'proof_missing' });
  const headers = {
    authorization: `Bearer ${key}`,
    ...keys.proofOf({ line: 'GET /api/console/sessions', session: key }),
  };
  expect(await caller(`http://127.0.0.1:${rig.daemon.port}`)('/api/console/sessions', headers)).toHaveProperty('items');
  person.closeSession(key);
  expect(() => person.openSession('00')).toThrow('The public key is none on P-256.');
});

describe('a sign-in code of the command line', () => {
  test('is good once, and leaves no session', async () => {
    const code = rig.daemon.createSignInCode();
    expect(person.spendSignInCode(code)).toBe(true);
    expect(person.spendSignInCode(code)).toBe(false);
    expect(person.spendSignInCode('QQQQ-7777')).toBe(false);
    const { key } = person.openSession();
    const { items = [] } = await sessionsOf(key);
    person.closeSession(key);
    expect(items.filter(({ program }) => program === 'the command line of Handrail')).toEqual([]);
  });
});

describe('a prompt that waits', () => {
  test('is in the view, has a sentence, and takes a touch; one that does not wait has neither', async () => {
    const { actionId } = await rig.submit({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
    const prompt = await until('the prompt is in the view', () => person.view().prompts[0]);
    expect(prompt).toMatchObject({ userId: 'ann', level: 'high', isCalled: true });
    expect(person.sentenceOf(prompt.id)).toBe(prompt.sentence);
    expect(person.touched(prompt.id)).toBe(true);
    expect((await rig.action(actionId)).status).toBe('awaiting_confirmation');
    const absent = `cnf_${'0'.repeat(26)}`;
    expect([person.sentenceOf(absent), person.touched(absent)]).toEqual([undefined, false]);

    person.pause();
    expect(person.view()).toMatchObject({ status: { paused: true }, prompts: [] });
    expect([person.sentenceOf(prompt.id), person.touched(prompt.id)]).toEqual([undefined, false]);
    expect(rig.ledger()).toEqual([]);
    await person.resume();
    expect(person.view().status.paused).toBe(false);
  });
});

describe('the view', () => {
  test('has the permissions once the agent has told them, also when it is asked to look again', async () => {
    await until('the agent has told them', () => person.view().permissions);
    await person.lookAgain();
    expect(person.view().permissions).toMatchObject({ screenRecording: expect.any(String) });
  });
});

describe('changes', () => {
  test('are told soon, a burst of them not one by one, and not at all after the end', async () => {
    let told = 0;
    const stop = person.onChange(() => {
      told += 1;
    }, 200);
    for (let change = 0; change < 5; change += 1) {
      person.pause();
      await person.resume();
    }
    await until('a change is told', () => told > 0);
    await pause(500);
    expect(told).toBeLessThan(5);
    stop();
    const before = told;
    person.pause();
    await person.resume();
    await pause(300);
    expect(told).toBe(before);
  });
});
