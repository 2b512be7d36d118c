/** One authentication scheme that a server offers. */
export interface Challenge {
  /** Lower case, such as `basic` or `digest`. */
  readonly scheme: string;
  /** By lower-case name. */
  readonly parameters: Readonly<Record<string, string>>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = new RegExp(`^(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`);
const start = new RegExp(`^(${token})(?=[\\s,]|$)`);

/**
 * Parses a `WWW-Authenticate` header, which may contain several challenges joined by commas: RFC 9110, section 11.6.1. Skips unreadable
 * ones.
 */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  let rest = header ?? '';
  while ((rest = rest.replace(/^[\s,]+/, '')) !== '') {
    const pair = parameter.exec(rest);
    const scheme = pair ? undefined : start.exec(rest)?.[1];
    const last = challenges.at(-1);
    if (pair && last) {
      const [, name = '', quoted, plain = ''] = pair;
      last.parameters[name.toLowerCase()] = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    } else if (scheme !== undefined) {
      challenges.push({ scheme: scheme.toLowerCase(), parameters: {} });
    }
    const read = pair?.[0] ?? scheme ?? rest.slice(0, Math.max(1, rest.search(/[\s,]/)));
    rest = rest.slice(read.length);
  }
  return challenges;
}
