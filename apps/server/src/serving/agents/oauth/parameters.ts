import { OAuthError } from './oauth-error.ts';

export type Parameters = ReadonlyMap<string, string>;

/** Parameters of a query or form. Throws `invalid_request` for one that is sent twice: RFC 6749, section 3.1. */
export function parametersOf(pairs: Iterable<readonly [string, unknown]>): Parameters {
  const found = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (typeof value !== 'string' || found.has(name)) throw new OAuthError('invalid_request', `${name} is not one text`);
    // An empty parameter counts as omitted.
    if (value !== '') found.set(name, value);
  }
  return found;
}

/** The parameter; throws `invalid_request` without it. */
export function needed(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`);
  return value;
}
