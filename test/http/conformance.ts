import { Ajv2020 } from 'ajv/dist/2020.js';

export type SeenResponse = { status: number; contentType: string; body: unknown };
export type Conformance = {
  /** Why the response is not one that the description promises; empty if it is, or if the path is not described. */
  complaints(line: { method: string; path: string }, response: SeenResponse): string[];
};

/** Compares responses with an OpenAPI 3.1 description: the status, the media type, the schema, and a problem's code. */
export function createConformance(description: object): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { binary: true } });
  ajv.addSchema(description, 'openapi');
  const paths = Object.keys(member(description, 'paths') ?? {});
  return {
    complaints({ method, path }, { status, contentType, body }) {
      const template = paths.find((known) => matches(known, path));
      const pointer = ['paths', template ?? '', method.toLowerCase(), 'responses'];
      const responses = template === undefined ? undefined : at(description, pointer);
      if (responses === undefined) return [];
      const response = at(responses, [String(status)]);
      const where = `${method} ${template} ${status}`;
      if (response === undefined) return [`${where} is not described`];
      if (member(response, 'content') === undefined) return contentType === '' ? [] : [`${where} has a body`];
      const [mediaType = ''] = contentType.split(';');
      const described = [mediaType, mediaType.replace(/\/.*/, '/*')].find((type) => at(response, ['content', type]));
      if (described === undefined) return [`${where} is not described as ${mediaType}`];
      const schema = [...pointer, String(status), 'content', described, 'schema'];
      return [...schemaComplaints(ajv, schema, body), ...codeComplaints(response, body)].map(
        (text) => `${where}: ${text}`,
      );
    },
  };
}

function schemaComplaints(ajv: Ajv2020, pointer: string[], body: unknown): string[] {
  if (body instanceof Uint8Array) return [];
  const fragment = pointer.map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  // It keeps what it compiled for this reference.
  const validate = ajv.getSchema(`openapi#/${fragment}`);
  if (validate === undefined) throw new Error(`there is no schema at ${fragment}`);
  return validate(body) === true ? [] : [ajv.errorsText(validate.errors)];
}

function codeComplaints(response: object, body: unknown): string[] {
  const code = member(body, 'code');
  const described = String(member(response, 'description'));
  return code === undefined || described.includes(`\`${code}\``) ? [] : [`the code ${code} is not described`];
}

function matches(template: string, path: string): boolean {
  const known = template.split('/');
  const came = path.split('?')[0]?.split('/') ?? [];
  return known.length === came.length && known.every((part, index) => part.startsWith('{') || part === came[index]);
}

function at(value: unknown, keys: string[]): object | undefined {
  const found = keys.reduce<unknown>((inner, key) => member(inner, key), value);
  return typeof found === 'object' && found !== null ? found : undefined;
}

function member(value: unknown, key: string): object | string | undefined {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
