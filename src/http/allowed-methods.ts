import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { type HttpRefusal, quoted, refuse } from './refuse.ts';

/** Answers requests without a route, before a body is read: 405 if the path has other methods, else 404. */
export function addNotFound(app: App): void {
  const routes: { url: string; pattern: RegExp; methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ url, pattern: patternOf(url), methods: typeof method === 'string' ? [method] : method });
  });
  const refusalFor = ({ method, url }: { method: string; url: string }): HttpRefusal => {
    const [path = ''] = url.split('?', 1);
    const atPath = routes.filter(({ url: known }) => known === path);
    const matching = atPath.length > 0 ? atPath : routes.filter(({ pattern }) => pattern.test(path));
    const allowed = [...new Set(matching.flatMap(({ methods }) => methods))];
    if (allowed.length === 0 || allowed.includes(method))
      return refuse('not_found', `Nothing is at ${quoted(path)}. See /docs.`);
    const allow = allowed.toSorted().join(', ');
    return refuse('method_not_allowed', `${method} is not served here; ${allow} is.`, { headers: { allow } });
  };
  /** The router matches `/devices/register` with `/devices/:id` when the method does not fit. */
  const isOfOther = ({ url, routeOptions }: FastifyRequest) => {
    const [path = ''] = url.split('?', 1);
    return routeOptions.url?.includes(':') && path !== routeOptions.url && routes.some((route) => route.url === path);
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || hasEmptyParameter(request) || isOfOther(request)) reply.send(refusalFor(request));
    else done();
  });
  app.setNotFoundHandler((request, reply) => reply.send(refusalFor(request)));
}

/** The router matches `/actions/` with `/actions/:id` and an empty id. */
function hasEmptyParameter({ url, routeOptions }: FastifyRequest): boolean {
  const [path = ''] = url.split('?', 1);
  return path.endsWith('/') && routeOptions.url?.includes(':') === true;
}

function patternOf(url: string): RegExp {
  const source = url
    .replaceAll('.', '\\.')
    .replaceAll(/:[^/]+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}
