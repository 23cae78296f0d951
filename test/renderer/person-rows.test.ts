import { expect, test } from 'vitest';
import { personRows } from '../../renderer/src/people/person-rows.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import { newRequester } from '../browser/made-up.ts';

const ann = newRequester('ann');

test('where nothing was said, the profile of the daemon applies to everybody', () => {
  expect(personRows([ann], { items: [], assignments: [] })).toEqual([
    { userId: '*', profile: DEFAULT_PROFILE, assignment: 'own' },
    { userId: 'ann', requester: ann, profile: DEFAULT_PROFILE, assignment: 'shared' },
  ]);
});

test("a profile of one's own comes before the one for everybody else", () => {
  const bob = newRequester('bob');
  const assignments = [
    { userId: 'bob', profile: 'trusted' },
    { userId: '*', profile: 'lockdown' },
  ];
  expect(personRows([ann, bob], { items: [], assignments })).toEqual([
    { userId: '*', profile: 'lockdown', assignment: 'own' },
    { userId: 'ann', requester: ann, profile: 'lockdown', assignment: 'shared' },
    { userId: 'bob', requester: bob, profile: 'trusted', assignment: 'own' },
  ]);
});

test('who was given a profile but has not asked is listed all the same', () => {
  const assignments = [{ userId: 'zed', profile: 'trusted' }];
  expect(personRows([ann], { items: [], assignments }).at(-1)).toEqual({
    userId: 'zed',
    profile: 'trusted',
    assignment: 'own',
  });
});
