import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { FORMER_PAGES, PAGES } from '../../contract/page-names.ts';
import { assetPath } from '../../launch/assets.ts';
import type { App } from '../app.ts';
import { createPageFiles, type PageFile } from '../page-files.ts';
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
 * The one page, at `/`; `/login` leads there, and so does the name of each of its pages, such as `/activity`. Its scripts and styles carry a hash of their contents in their names, so they may be
 * kept for ever, and the page itself never.
 */
export async function addPage(app: App, folder: string = assetPath('page')): Promise<void> {
  const files = createPageFiles(folder);
  await app.register(async (scope: App) => {
    redirectToPrintedHost(scope);
    scope.get('/', { schema: { hide: true }, config }, async (_request, reply) => sendPage(reply, await files.index()));
    scope.get('/login', { schema: { hide: true }, config }, (_request, reply) => reply.redirect('/', 302));
    for (const name of PAGE_ADDRESSES) addPageAddress(scope, name);
    const params = Type.Object({ file: Type.String() });
    scope.get('/assets/:file', { schema: { hide: true, params }, config }, async (request, reply) => {
      const file = await files.asset(request.params.file);
      return file === undefined ? reply.callNotFound() : sendAsset(request, reply, file);
    });
  });
}

/** `/metrics` is left to Prometheus. */
const PAGE_ADDRESSES = [...PAGES, ...Object.keys(FORMER_PAGES)].filter((name) => name !== 'metrics');

const LAST_SLASH = /\/(?=\?|$)/;

/** An address that a person types leads to the page of that name; to programs, nothing is there. */
function addPageAddress(scope: App, name: string): void {
  for (const url of [`/${name}`, `/${name}/`, `/${name}/:subject`]) {
    scope.get(url, { schema: { hide: true }, config }, (request, reply) =>
      isNavigation(request) ? reply.redirect(`/#${request.url.replace(LAST_SLASH, '')}`, 302) : reply.callNotFound(),
    );
  }
}

function isNavigation({ method, headers }: FastifyRequest): boolean {
  const { accept = '', 'sec-fetch-mode': mode = 'navigate' } = headers;
  return method === 'GET' && mode === 'navigate' && /\btext\/html\b/.test(accept);
}

function sendPage(reply: FastifyReply, page: Buffer | undefined): FastifyReply {
  reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8');
  return page === undefined ? reply.code(503).send(NOT_BUILT) : reply.send(page);
}

function sendAsset({ headers }: FastifyRequest, reply: FastifyReply, { type, bytes, gzipped }: PageFile): FastifyReply {
  reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding').type(type);
  const isCompressed =
    gzipped !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(headers['accept-encoding'] ?? '');
  return isCompressed ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(bytes);
}
