import { expect, test } from 'vitest';
import { exportedFunctions, listedFunctions } from './exported-functions.ts';

test('D4: every function of the domain and the contract is in the list of those that are measured, or of the others', async () => {
  expect(listedFunctions()).toEqual(await exportedFunctions());
});
