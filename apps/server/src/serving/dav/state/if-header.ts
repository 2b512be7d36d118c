import { appError } from '@sheaf/contract';

/** A condition of an If header: a state token or an entity tag. */
export interface Condition {
  readonly isNot: boolean;
  readonly token?: string;
  readonly etag?: string;
}

/** Conditions that must all hold, for the tagged resource or the requested one. */
export interface ConditionList {
  readonly resource?: string;
  readonly conditions: readonly Condition[];
}

/** Most characters and conditions: a real header has one or two tokens. */
const longest = 16_384;
const mostConditions = 200;

/** Parses an If header (RFC 4918, section 10.4.2). Throws MALFORMED_REQUEST. */
export function parseIf(header: string): ConditionList[] {
  const lists: ConditionList[] = [];
  const malformed = () => appError('MALFORMED_REQUEST', {});
  if (header.length > longest) throw malformed();
  let rest = header.trim();
  let resource: string | undefined;
  let count = 0;
  while (rest !== '') {
    const tag = /^<([^<>]*)>\s*/.exec(rest);
    if (tag) {
      resource = tag[1] ?? '';
      rest = rest.slice(tag[0].length);
      if (!rest.startsWith('(')) throw malformed();
      continue;
    }
    if (!rest.startsWith('(')) throw malformed();
    rest = rest.slice(1).trimStart();
    const conditions: Condition[] = [];
    while (!rest.startsWith(')')) {
      const one = /^(Not\s*)?(?:<([^<>]+)>|\[((?:W\/)?"[^"]*")\])\s*/i.exec(rest);
      if (!one || ++count > mostConditions) throw malformed();
      const [whole, not, token, etag] = one;
      conditions.push({ isNot: not !== undefined, ...(token !== undefined && { token }), ...(etag !== undefined && { etag }) });
      rest = rest.slice(whole.length);
    }
    if (conditions.length === 0) throw malformed();
    lists.push({ ...(resource !== undefined && { resource }), conditions });
    rest = rest.slice(1).trimStart();
  }
  if (lists.length === 0) throw malformed();
  return lists;
}

/** Every state token that the header submits. */
export const tokensIn = (lists: readonly ConditionList[]): ReadonlySet<string> =>
  new Set(lists.flatMap(({ conditions }) => conditions.flatMap(({ token }) => (token === undefined ? [] : [token]))));
