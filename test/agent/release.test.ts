import { expect, test } from 'vitest';
import { release } from '../../agent/drivers/linux/raw-picture.ts';

test('the memory of a picture is given back, and a part of something larger stays', () => {
  const [picture, larger] = [Buffer.allocUnsafeSlow(1_000), Buffer.alloc(1_000, 7)];
  const part = larger.subarray(100, 200);
  release(picture);
  release(part);
  expect([picture.length, part.length, part[0]]).toEqual([0, 100, 7]);
});
