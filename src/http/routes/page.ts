import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { FORMER_PAGES, PAGES } from '../../contract/page-names.ts';
import { assetPath } from '../../launch/assets.ts';
import type { App } from '../app.ts';
import { redirectToPrintedHost } from '../perimeter.ts';

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

/** A file of the page: its bytes, and the same compressed where that makes it smaller. */
type PageFile = { type: string; bytes: Buffer; gzipped: Buffer | undefined };

type PageFiles = {
  /** A script, style or picture by its name; nothing where there is none. It is read once: a file that changes has another name. */
  asset(name: string): Promise<PageFile | undefined>;
  /** The page itself, read each time; nothing where it is not built. */
  index(): Promise<Buffer | undefined>;
};

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The names that the build gives; none of them leads out of the folder. */
const NAME = /^\w[\w.-]*$/;

/**
 * The files of the built page, kept in memory. The person waits for them, and on a busy machine reading a file takes tens of
 * milliseconds.
 */
function createPageFiles(folder: string): PageFiles {
  const kept = new Map<string, Promise<PageFile | undefined>>();
  const read = (path: string) => readFile(join(folder, path)).catch(nothingIfMissing);

  async function load(name: string, type: string): Promise<PageFile | undefined> {
    const bytes = await read(join('assets', name));
    if (bytes === undefined) {
      // Names that lead nowhere must not fill the memory, and the file may be built later.
      kept.delete(name);
      return undefined;
    }
    const small = await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
    return { type, bytes, gzipped: small.length < bytes.length ? small : undefined };
  }

  return {
    async asset(name) {
      const type = TYPES[extname(name)];
      if (type === undefined || !NAME.test(name)) return undefined;
      const known = kept.get(name) ?? load(name, type);
      kept.set(name, known);
      return known;
    },
    index: () => read('index.html'),
  };
}

function nothingIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

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
