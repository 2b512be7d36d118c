import { type ResourceKind, resolvePath } from './protocol/attributes.ts';
import { type Filter, folded } from './protocol/filter.ts';

type Compare = Extract<Filter, { is: 'compare' }>;

/** What the database can say of a row by itself. Times are epoch seconds. */
export type Condition =
  | { readonly is: 'and' | 'or'; readonly all: readonly Condition[] }
  | { readonly is: 'not'; readonly condition: Condition }
  | { readonly is: 'equal'; readonly column: 'id' | 'externalId' | 'key' | 'active'; readonly value: string | number }
  /** The key is `userName` or `displayName`, folded. */
  | { readonly is: 'keyBegins'; readonly start: string }
  | {
      readonly is: 'time';
      readonly column: 'createdAt' | 'changedAt';
      readonly operator: '=' | '<' | '<=' | '>' | '>=';
      readonly seconds: number;
    }
  /** Is in the group, or has the member. */
  | { readonly is: 'joined'; readonly id: string }
  /** The stored text holds these characters of ASCII, in any case. */
  | { readonly is: 'mentions'; readonly text: string };

/** A condition that every match of a filter meets; `isExact` when nothing else meets it. */
export interface Narrowed {
  readonly condition: Condition;
  readonly isExact: boolean;
}

/** Which attributes of a kind have a column, or a table, of their own. */
export interface Columns {
  /** The attribute whose folded form is the key. */
  readonly key: string;
  /** The attribute whose values are rows of another table. */
  readonly joined: string;
  /** Whether the remaining attributes stand in one text. */
  readonly hasText: boolean;
}

/** What of a filter the database decides; undefined for nothing. */
export function narrow(kind: ResourceKind, columns: Columns, filter: Filter): Narrowed | undefined {
  switch (filter.is) {
    case 'and': {
      const parts = filter.all.map((one) => narrow(kind, columns, one));
      const known = parts.filter((part) => part !== undefined);
      return known.length === 0 ? undefined : together('and', known, known.length === parts.length);
    }
    case 'or': {
      const parts = filter.all.map((one) => narrow(kind, columns, one));
      const known = parts.filter((part) => part !== undefined);
      return known.length === parts.length ? together('or', known, true) : undefined;
    }
    case 'not': {
      const inner = narrow(kind, columns, filter.filter);
      return inner?.isExact ? { condition: { is: 'not', condition: inner.condition }, isExact: true } : undefined;
    }
    case 'values': {
      const found = resolvePath(kind, filter.path);
      return found && !found.sub ? valuesOf(columns, found.attribute.name, filter.filter) : undefined;
    }
    case 'compare': {
      const found = resolvePath(kind, filter.path);
      return found && comparison(columns, found.attribute.name, found.sub?.name, filter);
    }
    case 'present':
      return undefined;
  }
}

const together = (is: 'and' | 'or', parts: readonly Narrowed[], isWhole: boolean): Narrowed => ({
  condition: { is, all: parts.map(({ condition }) => condition) },
  isExact: isWhole && parts.every(({ isExact }) => isExact),
});

/** `emails[type eq "work" and value co "x"]`: one value has all of it, so the row mentions each. */
function valuesOf(columns: Columns, name: string, filter: Filter): Narrowed | undefined {
  if (filter.is === 'and') {
    const known = filter.all.map((one) => valuesOf(columns, name, one)).filter((part) => part !== undefined);
    // Two conditions may be met by two values, of which none meets both.
    return known.length === 0 ? undefined : together('and', known, false);
  }
  return filter.is === 'compare' ? comparison(columns, name, filter.path.toLowerCase(), filter) : undefined;
}

function comparison(columns: Columns, name: string, sub: string | undefined, { operator, value }: Compare): Narrowed | undefined {
  const exact = (condition: Condition): Narrowed => ({ condition, isExact: true });
  if (name === 'active' && typeof value === 'boolean' && (operator === 'eq' || operator === 'ne'))
    return exact({ is: 'equal', column: 'active', value: value === (operator === 'eq') ? 1 : 0 });
  if (typeof value !== 'string') return undefined;
  if (name === 'id' || name === 'externalId') return operator === 'eq' ? exact({ is: 'equal', column: name, value }) : undefined;
  if (name === columns.key) {
    if (operator === 'eq') return exact({ is: 'equal', column: 'key', value: folded(value) });
    return operator === 'sw' ? exact({ is: 'keyBegins', start: folded(value) }) : undefined;
  }
  if (name === columns.joined)
    return operator === 'eq' && (sub === undefined || sub === 'value') ? exact({ is: 'joined', id: value }) : undefined;
  if (name === 'meta') return sub === 'created' || sub === 'lastModified' ? timeOf(sub, operator, value) : undefined;
  return columns.hasText && name !== 'schemas' ? textOf(operator, value) : undefined;
}

function timeOf(sub: 'created' | 'lastModified', operator: Compare['operator'], value: string): Narrowed | undefined {
  const seconds = Date.parse(value) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  const column = sub === 'created' ? 'createdAt' : 'changedAt';
  const time = (sign: '=' | '<' | '<=' | '>' | '>=', whole: number): Narrowed => ({
    condition: { is: 'time', column, operator: sign, seconds: whole },
    isExact: true,
  });
  switch (operator) {
    case 'gt':
      return time('>', Math.floor(seconds));
    case 'ge':
      return time('>=', Math.ceil(seconds));
    case 'lt':
      return time('<', Math.ceil(seconds));
    case 'le':
      return time('<=', Math.floor(seconds));
    case 'eq':
      return Number.isInteger(seconds) ? time('=', seconds) : undefined;
    case 'ne':
    case 'co':
    case 'sw':
    case 'ew':
      return undefined;
  }
}

/** Characters that stand in JSON as they are and that no other character becomes by NFC, as U+037E and U+1FEF do. */
const plain = /^[ !#-:<-[\]-_a-~]+$/;

function textOf(operator: Compare['operator'], value: string): Narrowed | undefined {
  if (!['eq', 'co', 'sw', 'ew'].includes(operator) || !plain.test(value)) return undefined;
  return { condition: { is: 'mentions', text: value.toLowerCase() }, isExact: false };
}
