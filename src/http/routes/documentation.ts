import swaggerUi from '@fastify/swagger-ui';
import type { App } from '../app.ts';

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

/** Colours of the API page with enough contrast for text: at least 4.5:1 against their ground. */
const METHODS = { get: '#0b63b0', post: '#167a4c', put: '#8f5600', delete: '#c01f1f' };

/** Styles for `/docs`, after those of Swagger UI. */
const DOCUMENTATION_STYLE = [
  ...Object.entries(METHODS).map(
    ([method, colour]) => `.swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: ${colour}; }`,
  ),
  '.swagger-ui .info .title small { background: #565c66; }',
  '.swagger-ui .info .title small.version-stamp { background: #446500; }',
  '.swagger-ui .info .link .url, .swagger-ui .info a { color: #1c5aa3; }',
  '.dark-mode .swagger-ui .info .link .url, .dark-mode .swagger-ui .info a { color: #7fb4f0; }',
  '.dark-mode .swagger-ui .examples-select__section-label { color: #e4e6e6; }',
  '.swagger-ui .btn.authorize { border-color: #167a4c; color: #167a4c; }',
  '.swagger-ui .btn.authorize svg { fill: #167a4c; }',
  '.swagger-ui .json-schema-2020-12-expand-deep-button { color: #505050; }',
  '.swagger-ui .parameter__in { color: #555555; }',
].join('\n');

/** Follows the theme of the system, names the selects that Swagger UI leaves without a name, and lets the keyboard reach examples that scroll, as they appear. */
const DOCUMENTATION_SCRIPT = `
const MISSING = [
  ['#servers', 'aria-label', 'Server'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.microlight', 'tabindex', '0'],
];
const complete = () => {
  for (const [selector, attribute, value] of MISSING)
    for (const element of document.querySelectorAll(selector + ':not([' + attribute + '])')) element.setAttribute(attribute, value);
};
const dark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followSystem);
followSystem();
new MutationObserver(complete).observe(document.documentElement, { subtree: true, childList: true });
`;

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
