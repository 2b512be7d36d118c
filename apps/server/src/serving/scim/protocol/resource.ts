import { type Attribute, type ResourceKind, commonAttributes, findAttribute } from './attributes.ts';
import { ScimError } from './errors.ts';
import { type Json, isJson } from './filter.ts';

/** A resource as it is stored: what the table of attributes knows and clients may write. */
export type Resource = Record<string, unknown>;

/** Most characters of a text. */
const longestText = 1024;
/** Most values of an attribute. */
export const mostValues = 10_000;

const writable = (kind: ResourceKind): readonly Attribute[] =>
  [...commonAttributes, ...kind.attributes].filter(({ mutability }) => mutability !== 'readOnly');

/**
 * Reads what a client sent as a resource. Names in any case are accepted, attributes that only the service writes and those that it does not have are
 * left out (RFC 7644, section 3.3). Throws invalidSyntax, invalidValue.
 */
export function readResource(kind: ResourceKind, body: unknown): Resource {
  if (!isJson(body)) throw new ScimError('invalidSyntax', 'The body must be a JSON object.');
  const schemas = Object.entries(body).find(([name]) => name.toLowerCase() === 'schemas')?.[1];
  const named = Array.isArray(schemas) ? schemas.map((one) => String(one).toLowerCase()) : [];
  if (schemas !== undefined && !named.includes(kind.schema.toLowerCase()))
    throw new ScimError('invalidSyntax', `The resource does not name the schema ${kind.schema}.`);
  const resource = readParts(writable(kind), body);
  for (const { name, required } of kind.attributes)
    if (required && (resource[name] === undefined || resource[name] === '')) throw new ScimError('invalidValue', `${name} is missing.`);
  return resource;
}

function readParts(attributes: readonly Attribute[], body: Json): Resource {
  const resource: Resource = {};
  for (const [key, value] of Object.entries(body)) {
    const attribute = findAttribute(attributes, key);
    if (!attribute || attribute.mutability === 'readOnly') continue;
    const read = readValue(attribute, value);
    if (read !== undefined) resource[attribute.name] = read;
  }
  return resource;
}

/** Reads the whole value of an attribute; undefined for none. Throws invalidValue. */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readOne(attribute, value);
  const values = Array.isArray(value) ? value : [value];
  if (values.length > mostValues) throw new ScimError('invalidValue', `${attribute.name} has too many values.`);
  const read = onePrimary(values.map((one) => readOne(attribute, one)));
  return read.length === 0 ? undefined : read;
}

/** Reads one value. Throws invalidValue. */
export function readOne(attribute: Attribute, value: unknown): unknown {
  const wrong = (what: string): ScimError => new ScimError('invalidValue', `${attribute.name} must be ${what}.`);
  switch (attribute.type) {
    case 'complex':
      // Some directories send an address or an id alone.
      if (typeof value === 'string' && findAttribute(attribute.subAttributes, 'value'))
        return readParts(attribute.subAttributes ?? [], { value });
      if (!isJson(value)) throw wrong('an object');
      return readParts(attribute.subAttributes ?? [], value);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      // Entra sends "True" and "False".
      if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
      throw wrong('true or false');
    case 'string':
    case 'reference':
    case 'dateTime':
      if (typeof value !== 'string') throw wrong('a text');
      if (value.length > longestText) throw wrong(`a text of ${longestText} characters at most`);
      if (value.includes('\0')) throw wrong('a text without the character NUL');
      return value;
  }
}

/** At most one value is the primary one: the last that says so. */
export function onePrimary(values: readonly unknown[]): unknown[] {
  const last = values.findLastIndex((value) => isJson(value) && value['primary'] === true);
  return values.map((value, at) => (at !== last && isJson(value) && value['primary'] === true ? { ...value, primary: false } : value));
}

/** Which attributes an answer has (RFC 7644, section 3.9): those asked for, or all but those not wanted; always `id` and `schemas`. */
export function project(resource: Json, attributes: string | undefined, excluded: string | undefined): Json {
  const names = (list: string): string[] =>
    list
      .split(',')
      .map((name) => (name.trim().split(':').at(-1) ?? '').toLowerCase())
      .filter((name) => name !== '');
  const always = new Set(['id', 'schemas']);
  if (attributes) {
    const wanted = names(attributes);
    return pick(
      resource,
      (path) => always.has(path) || wanted.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`)),
    );
  }
  if (!excluded) return resource;
  const unwanted = new Set(names(excluded));
  return pick(resource, (path) => always.has(path) || !unwanted.has(path));
}

function pick(value: Json, isWanted: (path: string) => boolean, before = ''): Json {
  const kept = Object.entries(value).filter(([name]) => isWanted(before + name.toLowerCase()));
  return Object.fromEntries(
    kept.map(([name, part]) => {
      const inside = `${before}${name.toLowerCase()}.`;
      if (Array.isArray(part)) return [name, part.map((one: unknown) => (isJson(one) ? pick(one, isWanted, inside) : one))];
      return [name, isJson(part) ? pick(part, isWanted, inside) : part];
    }),
  );
}
