import { expect, test } from 'vitest';
import { machineNames } from '../../src/cli/requester.ts';

test('a line is about another machine by its device, and about this computer otherwise', async () => {
  const devices = [
    { id: 'dev_1', machine: 'local' },
    { id: 'dev_2', machine: 'studio' },
  ];
  const client = { devices: async () => ({ ok: true, value: { items: devices } }) };
  const nameOf = await machineNames({ client } as never);
  expect(['dev_1', 'dev_2', 'dev_3', undefined].map((id) => nameOf(id))).toEqual(['', 'studio: ', '', '']);
});

test('where the devices are not told, no machine is named', async () => {
  const client = { devices: async () => ({ ok: false, failure: { code: 'x', detail: '' } }) };
  expect((await machineNames({ client } as never))('dev_2')).toBe('');
});
