import { expect, test } from 'vitest';
import type { FeedState } from '../../renderer/src/feed/feed.ts';
import { hintFor } from '../../renderer/src/prompt/Answers.tsx';
import { pausedWords, statusLineOf } from '../../renderer/src/status/StatusBar.tsx';
import type { ConsoleStatus } from '../../src/contract/console-status.ts';
import { newConfirmation, newTask } from '../browser/made-up.ts';

const STATUS: ConsoleStatus = {
  paused: false,
  locked: false,
  agent: 'online',
  waiting: 0,
  running: 0,
  underWay: [],
  requesters: [],
  lastEventId: '1',
};
const IDLE: FeedState = {
  connection: 'live',
  confirmations: [],
  status: STATUS,
  grants: [],
  profiles: undefined,
  stuckTasks: [],
};

test.each<[string, Partial<FeedState>, string]>([
  ['everything works', {}, 'Ready'],
  ['the agent starts', { status: { ...STATUS, agent: 'starting' } }, 'Agent starting…'],
  ['the agent is offline', { status: { ...STATUS, agent: 'offline' } }, 'Agent offline'],
  ['a prompt waits', { confirmations: [newConfirmation({})] }, 'Waiting for you'],
  ['a step of a task needs an answer', { stuckTasks: [newTask()] }, 'Needs your answer'],
  [
    'a prompt waits and a step of a task needs an answer',
    { confirmations: [newConfirmation({})], stuckTasks: [newTask()] },
    'Waiting for you',
  ],
  ['the screen is locked', { status: { ...STATUS, locked: true }, stuckTasks: [newTask()] }, 'Screen locked'],
  ['everything is paused', { status: { ...STATUS, locked: true, paused: true } }, 'Paused'],
  ['the daemon does not answer', { connection: 'lost', status: { ...STATUS, paused: true } }, 'Disconnected'],
  ['three actions run', { status: { ...STATUS, running: 3 } }, '3 running'],
  [
    'the agent starts and a step needs an answer',
    { status: { ...STATUS, agent: 'starting' }, stuckTasks: [newTask()] },
    'Needs your answer',
  ],
  ['the daemon does not tell its tasks', { stuckTasks: undefined }, 'Ready'],
])('the status bar while %s', (_when, change, words) => {
  expect(statusLineOf({ ...IDLE, ...change }).words).toBe(words);
});

test.each([
  [{ isReachable: false }, "Handrail doesn't respond. You can answer once it is back."],
  [{ isReachable: true }, 'Bring this window to the front to answer.'],
  [{ isReachable: false, isOver: true }, 'Time is up. The request has expired, and nothing was done.'],
])('the hint under a prompt that is away, with %j', (change, words) => {
  expect(hintFor({ state: 'away' }, { isOver: false, isFolded: false, presence: 'none', ...change })).toBe(words);
});

test.each([
  [0, undefined],
  [1, 'Paused. 1 request was ended; nothing was done.'],
  [14, 'Paused. 14 requests were ended; nothing was done.'],
])('after Pause the page says that %i requests were ended', (waiting, words) => {
  expect(pausedWords({ status: { ...STATUS, waiting } })).toBe(words);
});
