import swaggerUi from '@fastify/swagger-ui';
import type { App } from '../app.ts';
import { DOCUMENTATION_SCRIPT, DOCUMENTATION_STYLE } from '../documentation-style.ts';

/** Nothing from elsewhere, nothing inline: the page's own scripts and styles, and its images, which it carries as data. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The description for programs at `/openapi.json`, and for people at `/docs`. */
export async function addDocumentationRoutes(app: App): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.send(app.swagger()));
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    theme: {
      title: 'Handrail',
      css: [{ filename: 'handrail.css', content: DOCUMENTATION_STYLE }],
      js: [{ filename: 'handrail.js', content: DOCUMENTATION_SCRIPT }],
    },
    // The standalone layout's bar carries a logo with a style inside, which the policy forbids. Deep links would be links inside of buttons.
    // The usual colours of examples, `agate`, leave numbers at a contrast of 3.5:1.
    uiConfig: { layout: 'BaseLayout', deepLinking: false, syntaxHighlight: { theme: 'obsidian' } },
  });
}
