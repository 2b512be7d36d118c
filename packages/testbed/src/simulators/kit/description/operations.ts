import { type Description, type OperationDescription, type Parameter, type Reference, follow, isRecord } from './description.ts';

/** One operation under one of its keys. Several may share a wire path: Box describes four that are all `PUT /files/{id}`. */
export interface Variant {
  readonly description: OperationDescription;
  readonly parameters: readonly Parameter[];
}

/** What a method and a wire path ask for. */
export interface Operation {
  /** `GET /files/{file_id}`: the name used in routes, scopes, faults and violations. */
  readonly key: string;
  readonly method: string;
  readonly variants: readonly Variant[];
}

export interface Match {
  readonly operation: Operation;
  /** Path parameters under every name that a variant gives them, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Operations {
  readonly all: readonly Operation[];
  /** The operation that a request asks for; the most literal template wins. `path` is a {@link canonicalPath}. */
  find(method: string, path: string, query: URLSearchParams): Match | undefined;
  /** The operation of this name, whatever its path parameters are called. */
  named(key: string): Operation | undefined;
  /** Whether some method is described for this path. */
  knowsPath(path: string): boolean;
}

interface Template {
  readonly method: string;
  readonly shape: string;
  readonly pattern: RegExp;
  readonly literals: number;
  readonly query: readonly (readonly [string, string])[];
  readonly names: string[][];
  readonly operation: Operation & { readonly variants: Variant[] };
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);
const parameter = /\{([^{}]+)\}/g;

/** Reads the operations. Path parameters named in `deep` may hold slashes, as a file's name in an object store does. */
export function readOperations(description: Description, deep: readonly string[] = []): Operations {
  const templates = new Map<string, Template>();
  for (const [key, item] of Object.entries(description.paths)) {
    const [wire = '', constants = ''] = (key.split('#')[0] ?? '').split('?');
    const shared = parametersOf(description, item['parameters']);
    for (const [name, described] of Object.entries(item)) {
      if (!methods.has(name) || !isRecord(described)) continue;
      const operation = described as unknown as OperationDescription;
      const own = parametersOf(description, operation.parameters);
      const parameters = [...own, ...shared.filter((one) => !own.some((other) => other.name === one.name && other.in === one.in))];
      const method = name.toUpperCase();
      const shape = shapeOf(`${method} ${wire}?${constants}`);
      let template = templates.get(shape);
      if (!template) templates.set(shape, (template = templateOf(method, wire, constants, shape, deep)));
      template.names.push([...wire.matchAll(parameter)].map(([, one = '']) => one));
      template.operation.variants.push({ description: operation, parameters });
    }
  }
  const byLiterals = [...templates.values()].sort((a, b) => b.literals - a.literals);
  return {
    all: byLiterals.map(({ operation }) => operation),
    find(method, path, query) {
      for (const { operation, pattern, query: constants, names, method: wanted } of byLiterals) {
        const found = method === wanted ? pattern.exec(path) : null;
        if (!found || !constants.every(([name, value]) => query.get(name) === value)) continue;
        const values = found.slice(1).map(fromSegment);
        return { operation, params: Object.fromEntries(names.flatMap((list) => list.map((name, at) => [name, values[at] ?? '']))) };
      }
      return undefined;
    },
    named: (key) => templates.get(shapeOf(key.includes('?') ? key : `${key}?`))?.operation,
    knowsPath: (path) => byLiterals.some(({ pattern }) => pattern.test(path)),
  };
}

const shapeOf = (key: string): string => (key.split('#')[0] ?? '').replaceAll(parameter, '{}');

function parametersOf(description: Description, list: unknown): Parameter[] {
  return Array.isArray(list) ? list.map((one: Parameter | Reference) => follow<Parameter>(description, one)) : [];
}

function templateOf(method: string, wire: string, constants: string, shape: string, deep: readonly string[]): Template {
  let pattern = '';
  let literals = 0;
  let at = 0;
  for (const match of wire.matchAll(parameter)) {
    const literal = wire.slice(at, match.index);
    literals += literal.length;
    // A parameter that may hold slashes gives way to every other template.
    if (deep.includes(match[1] ?? '')) literals -= 1000;
    pattern += `${RegExp.escape(literal)}${deep.includes(match[1] ?? '') ? '(.+)' : '([^/]+)'}`;
    at = match.index + match[0].length;
  }
  literals += wire.length - at + constants.length;
  return {
    method,
    shape,
    literals,
    pattern: new RegExp(`^${pattern}${RegExp.escape(wire.slice(at))}$`),
    query: [...new URLSearchParams(constants)],
    names: [],
    operation: { key: `${method} ${wire}${constants && `?${constants}`}`, method, variants: [] },
  };
}

/**
 * The path with every escape read except the two that would change its shape: a slash inside a name stays `%2F` and a percent sign `%25`. Throws
 * `URIError` for a path that is no UTF-8.
 */
export const canonicalPath = (rawPath: string): string =>
  rawPath
    .split('/')
    .map((segment) => asSegment(decodeURIComponent(segment)))
    .join('/');

/** Text as one segment of a canonical path. Vendors use it to keep an address by path in one path parameter. */
export const asSegment = (text: string): string => text.replaceAll('%', '%25').replaceAll('/', '%2F');
const fromSegment = (segment: string): string => segment.replaceAll('%2F', '/').replaceAll('%25', '%');
