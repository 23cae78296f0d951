import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLargerThan } from '../../src/domain/canonical-json.ts';

test('the size of any value as JSON is known exactly', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const sizeBytes = Buffer.byteLength(JSON.stringify(value));
      expect([isLargerThan(value, sizeBytes), isLargerThan(value, sizeBytes - 1)]).toEqual([false, true]);
    }),
  );
});
