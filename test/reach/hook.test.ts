import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHook } from '../../src/reach/channels.ts';

const call = { id: 'a', title: 'Handrail needs your answer', body: 'Read “/home/ann/diary.txt”' };

function program(lines: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'hook-')), 'call me');
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a program of the person is told that Handrail needs them, and nothing of the request', async () => {
  const told = join(mkdtempSync(join(tmpdir(), 'told-')), 'told');
  await createHook({ command: program(`printf '%s|' "$@" > '${told}'; cat >> '${told}'`) }).call(call);
  expect(readFileSync(told, 'utf8')).toBe('Handrail needs you|');
});

test('a program that fails or is not there is named', async () => {
  await expect(createHook({ command: program('exit 3') }).call(call)).rejects.toThrow(
    /failed: it ended with code 3\.$/,
  );
  await expect(createHook({ command: '/nope/none' }).call(call)).rejects.toThrow(
    'The program /nope/none failed: the system answered ENOENT.',
  );
});

test('an address gets one POST with the same words; a redirect is not followed', async () => {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => got.push(`${request.method} ${request.url} ${text}`));
    request.on('end', () => {
      if (request.url === '/away') response.writeHead(302, { location: '/here' });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await createHook({ address: `${address}/here` }).call(call);
  await expect(createHook({ address: `${address}/away` }).call(call)).rejects.toThrow('answered 302');
  await new Promise((resolve) => server.close(resolve));
  expect(got).toEqual(['POST /here Handrail needs you', 'POST /away Handrail needs you']);
  await expect(createHook({ address }).call(call)).rejects.toThrow('could not be reached');
});
