import { type Description, type OperationDescription, type Parameter, type Reference, follow, isRecord } from './description.ts';

/** One operation under one of its keys. Several may share a path: Box describes four as `PUT /files/{id}`. */
export interface Variant {
  readonly description: OperationDescription;
  readonly parameters: readonly Parameter[];
}

/** The operations of a method and a path. */
export interface Operation {
  /** `GET /files/{file_id}`: the name used in routes, scopes, faults and violations. */
  readonly key: string;
  readonly method: string;
  readonly variants: readonly Variant[];
}

export interface Match {
  readonly operation: Operation;
  /** Decoded path parameters, under every name that a variant uses. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Operations {
  readonly all: readonly Operation[];
  /** Returns the operation of a request; the most literal template wins. `path` is a {@link canonicalPath}. */
  find(method: string, path: string, query: URLSearchParams): Match | undefined;
  /** Returns the operation with that key, whatever its path parameters are called. */
  named(key: string): Operation | undefined;
  /** Whether any method is described for this path. */
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

/** Reads the operations. Path parameters named in `deep` may contain slashes, such as a file's name in an object store. */
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
    // A parameter that may contain slashes has the lowest precedence.
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
 * Decodes the path except for the two escapes that would change its structure: a slash inside a name stays `%2F` and a percent sign `%25`. Throws
 * `URIError` for a path that is not UTF-8.
 */
export const canonicalPath = (rawPath: string): string =>
  rawPath
    .split('/')
    .map((segment) => asSegment(decodeURIComponent(segment)))
    .join('/');

/** Encodes text as one segment of a canonical path. Simulators use it to keep a path in one path parameter. */
export const asSegment = (text: string): string => text.replaceAll('%', '%25').replaceAll('/', '%2F');
const fromSegment = (segment: string): string => segment.replaceAll('%2F', '/').replaceAll('%25', '%');
