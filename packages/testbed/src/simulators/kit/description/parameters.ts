import type { IncomingHttpHeaders } from 'node:http';
import { type Parameter, type Schema, isRecord } from './description.ts';
import type { Match, Variant } from './operations.ts';
import type { Schemas } from './schemas.ts';

interface Sent {
  readonly params: Match['params'];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** Returns what is wrong with the parameters of a request, if anything. `allowed` are further query parameters that the provider accepts. */
export function checkParameters(variant: Variant, sent: Sent, schemas: Schemas, allowed: readonly string[]): string | undefined {
  const { parameters } = variant;
  const described = parameters.filter((one) => one.in === 'query');
  for (const name of new Set(sent.query.keys()))
    if (!allowed.includes(name) && !described.some((one) => matchesName(one, name))) return `query parameter ${name} is not described`;
  for (const one of parameters) {
    const texts = textsOf(one, sent);
    if (texts.length === 0) {
      if (one.required && !isLeftToAuth(one)) return `${one.in} parameter ${one.name} is missing`;
      continue;
    }
    const wrong = checkTexts(one, texts, schemas);
    if (wrong) return `${one.in} parameter ${one.name}: ${wrong}`;
  }
  return undefined;
}

/** A missing Authorization header is answered with 401, not as a bad request. */
const isLeftToAuth = (one: Parameter): boolean => one.in === 'header' && one.name.toLowerCase() === 'authorization';

/** Descriptions use a star for families of names: `filter[*]`. An object is sent as `name[field]`. */
function matchesName(one: Parameter, name: string): boolean {
  if (one.name === name || one.name === `${name}[]` || name === `${one.name}[]`) return true;
  if (one.name.includes('*')) return new RegExp(`^${one.name.split('*').map(RegExp.escape).join('.+')}$`).test(name);
  return isRecord(one.schema) && one.schema['type'] === 'object' && name.startsWith(`${one.name}[`);
}

function textsOf(one: Parameter, { params, query, headers }: Sent): readonly string[] {
  if (one.in === 'query') return [...new Set(query.keys())].filter((name) => matchesName(one, name)).flatMap((name) => query.getAll(name));
  const value = one.in === 'path' ? params[one.name] : one.in === 'header' ? headers[one.name.toLowerCase()] : undefined;
  return value === undefined ? [] : [value].flat();
}

function checkTexts(one: Parameter, texts: readonly string[], schemas: Schemas): string | undefined {
  const json = one.content?.['application/json']?.schema;
  if (json !== undefined) {
    const [text = ''] = texts;
    try {
      return schemas.asked(json)(JSON.parse(text));
    } catch (error) {
      if (error instanceof SyntaxError) return 'is not JSON';
      throw error;
    }
  }
  if (one.schema === undefined || (isRecord(one.schema) && one.schema['type'] === 'object')) return undefined;
  const isList = isRecord(one.schema) && one.schema['type'] === 'array';
  if (texts.length > 1 && (!isList || one.explode === false) && !one.name.includes('*')) return 'is given more than once';
  return checkText(one.schema, texts, schemas);
}

/** Validates text against a schema of a number, a boolean or a list: it is valid when one interpretation is. */
export function checkText(schema: Schema, texts: readonly string[], schemas: Schemas): string | undefined {
  const check = schemas.asked(schema);
  const [text = ''] = texts;
  const single = readings(text);
  const lists = [texts, text.split(',')];
  const all: unknown[] = [...single, ...lists, ...lists.map((list) => list.map((item) => readings(item).at(-1)))];
  const wrongs = all.map(check);
  if (wrongs.includes(undefined)) return undefined;
  const type = isRecord(schema) ? schema['type'] : undefined;
  if (type === 'array') return wrongs.at(-1);
  return type === 'string' ? wrongs[0] : wrongs[single.length - 1];
}

/** Returns the text, and the number or boolean that it may represent. */
function readings(text: string): unknown[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  return /^-?\d+(\.\d+)?$/.test(text) ? [text, Number(text)] : [text];
}
