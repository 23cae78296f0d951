import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { assetPath } from '../../assets.ts';
import type { App } from '../app.ts';
import { redirectToPrintedHost } from '../printed-host.ts';

/** Nothing from elsewhere, nothing inline, no forms: a text on the page can only be shown as text. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Handrail</title>
<h1>Handrail is running; its page is not built</h1>
<p>Run <code>npm run build</code> in the folder of Handrail, then load this page again.</p></html>
`;

/** The person's way in must open while others flood: none of this counts against anyone's share. */
const config = { unlimited: true } as const;

/**
 * The one page, at `/`; `/login` leads there. Its scripts and styles carry a hash of their contents in their names, so they may be
 * kept for ever, and the page itself never.
 */
export async function addPage(app: App, folder: string = assetPath('page')): Promise<void> {
  await app.register(async (scope: App) => {
    await scope.register(fastifyStatic, { root: folder, serve: false, suppressWarning: true, cacheControl: false });
    redirectToPrintedHost(scope);
    scope.get('/', { schema: { hide: true }, config }, (_request, reply) => sendPage(reply, folder));
    scope.get('/login', { schema: { hide: true }, config }, (_request, reply) => reply.redirect('/', 302));
    const params = Type.Object({ file: Type.String() });
    scope.get('/assets/:file', { schema: { hide: true, params }, config }, (request, reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable');
      return reply.sendFile(request.params.file, join(folder, 'assets'));
    });
  });
}

function sendPage(reply: FastifyReply, folder: string): FastifyReply {
  reply.header('content-security-policy', PAGE_POLICY);
  if (existsSync(join(folder, 'index.html'))) return reply.sendFile('index.html', folder);
  return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT);
}
