import { expect, test } from 'vitest';
import { ANTHROPIC } from '../../src/computer-use/anthropic.ts';
import { GEMINI } from '../../src/computer-use/gemini.ts';
import { OPENAI } from '../../src/computer-use/openai.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';

const FRAME = { source: { x: 0, y: 0, width: 1000, height: 500 }, image: { width: 1000, height: 500 } };
const INPUT = { duration: 1, seconds: 1, app_name: 'mousepad', region: [0, 0, 100, 50] };
const members = [ANTHROPIC, OPENAI, GEMINI].flatMap((vendor) =>
  [...vendor.members].map(([name, member]) => ({ vendor, name, member })),
);

test.each(members)(
  '$vendor.name: $name is done by actions that exist, or waits for one that does not',
  ({ vendor, member }) => {
    if ('needs' in member) return expect(CATALOGUE.has(member.needs)).toBe(false);
    const steps = member.steps(INPUT, { limits: vendor.limits, display: FRAME.source, frame: FRAME });
    if ('fault' in steps) throw new Error(steps.fault);
    const checked = steps.map(({ actionType, parameters }) => CATALOGUE.get(actionType)?.check(parameters).ok);
    expect(checked).toEqual(steps.map(() => true));
  },
);
