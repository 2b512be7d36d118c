import { type Attribute, type ResourceKind, findAttribute, resolvePath } from './attributes.ts';
import { ScimError } from './errors.ts';

type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
type Literal = string | number | boolean | null;

/** A filter (RFC 7644, section 3.4.2.2). Paths are as the client wrote them. */
export type Filter =
  | { readonly is: 'and' | 'or'; readonly all: readonly Filter[] }
  | { readonly is: 'not'; readonly filter: Filter }
  | { readonly is: 'present'; readonly path: string }
  | { readonly is: 'compare'; readonly path: string; readonly operator: Operator; readonly value: Literal }
  | { readonly is: 'values'; readonly path: string; readonly filter: Filter };

/** The target of a patch: an attribute, of its values those that match, and of these a sub-attribute (RFC 7644, section 3.5.2). */
export interface PatchPath {
  readonly path: string;
  readonly filter?: Filter;
  readonly sub?: string;
}

export type Json = Readonly<Record<string, unknown>>;

/** Most characters of a filter, most brackets within each other, and most comparisons: each is made for every value of every resource. */
const longest = 8192;
const deepest = 40;
const mostComparisons = 50;
const operators = new Set<string>(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);
// Each part of a string is one plain character or one escape, so that a text without an end is read once.
const token = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;

const isOperator = (word: string): word is Operator => operators.has(word);

class Reader {
  readonly #tokens: string[] = [];
  #next = 0;
  #depth = 0;
  #comparisons = 0;

  constructor(text: string) {
    if (text.length > longest) throw new ScimError('invalidFilter', 'The filter is too long.');
    token.lastIndex = 0;
    const trimmed = text.trimEnd();
    while (token.lastIndex < trimmed.length) {
      const at = token.lastIndex;
      const found = token.exec(trimmed);
      if (!found) throw new ScimError('invalidFilter', `The filter cannot be read at character ${at + 1}.`);
      this.#tokens.push(found[0].trimStart());
    }
  }

  /** Reads a whole filter. */
  whole(): Filter {
    const filter = this.#or();
    this.end();
    return filter;
  }

  /** Reads the path of a patch. */
  path(): PatchPath {
    const path = this.#name();
    if (this.#peek() !== '[') return this.#ended({ path });
    this.#take('[');
    const filter = this.#or();
    this.#take(']');
    const rest = this.#peek();
    if (rest === undefined) return { path, filter };
    this.#next++;
    if (!/^\.[\w$-]+$/.test(rest)) throw new ScimError('invalidPath', 'The path cannot be read after its filter.');
    return this.#ended({ path, filter, sub: rest.slice(1) });
  }

  end(): void {
    if (this.#next < this.#tokens.length) throw new ScimError('invalidFilter', `"${this.#tokens[this.#next] ?? ''}" is not expected here.`);
  }

  #ended<T>(value: T): T {
    this.end();
    return value;
  }
  #peek(): string | undefined {
    return this.#tokens[this.#next];
  }
  #take(expected: string): void {
    if (this.#tokens[this.#next] !== expected) throw new ScimError('invalidFilter', `"${expected}" is missing.`);
    this.#next++;
  }
  #isWord(word: string): boolean {
    return this.#peek()?.toLowerCase() === word;
  }

  #or(): Filter {
    if (++this.#depth > deepest) throw new ScimError('invalidFilter', 'The filter has too many brackets.');
    const all = [this.#and()];
    for (; this.#isWord('or'); all.push(this.#and())) this.#next++;
    this.#depth--;
    return oneOrAll('or', all);
  }
  #and(): Filter {
    const all = [this.#one()];
    for (; this.#isWord('and'); all.push(this.#one())) this.#next++;
    return oneOrAll('and', all);
  }
  #one(): Filter {
    if (this.#isWord('not')) {
      this.#next++;
      return { is: 'not', filter: this.#inBrackets() };
    }
    if (this.#peek() === '(') return this.#inBrackets();
    const path = this.#name();
    if (this.#peek() !== '[') return this.#comparison(path);
    this.#take('[');
    const filter = this.#or();
    this.#take(']');
    const [, sub] = /^\.([\w$-]+)$/.exec(this.#peek() ?? '') ?? [];
    if (sub === undefined) return { is: 'values', path, filter };
    // Entra asks for `emails[type eq "work"].value eq "…"`, which RFC 7644 allows in patches alone: one value meets both.
    this.#next++;
    return { is: 'values', path, filter: { is: 'and', all: [filter, this.#comparison(sub)] } };
  }
  #comparison(path: string): Filter {
    if (++this.#comparisons > mostComparisons) throw new ScimError('invalidFilter', `A filter has ${mostComparisons} comparisons at most.`);
    const word = this.#tokens[this.#next++]?.toLowerCase() ?? '';
    if (word === 'pr') return { is: 'present', path };
    if (!isOperator(word)) throw new ScimError('invalidFilter', `"${word}" is no operator.`);
    return { is: 'compare', path, operator: word, value: this.#literal() };
  }
  #inBrackets(): Filter {
    this.#take('(');
    const filter = this.#or();
    this.#take(')');
    return filter;
  }
  #name(): string {
    const name = this.#tokens[this.#next++] ?? '';
    // An attribute's name, perhaps after the name of its schema, which has dots and colons of its own.
    if (!/^(?:urn:[\w.:-]+:)?[a-z$][\w$-]*(?:\.[\w$-]+)?$/i.test(name)) throw new ScimError('invalidFilter', `"${name}" is no attribute.`);
    return name;
  }
  #literal(): Literal {
    const text = this.#tokens[this.#next++] ?? '';
    try {
      const value: unknown = JSON.parse(text);
      if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Literal;
    } catch {
      // Refused below, like any other text that is no value.
    }
    throw new ScimError('invalidFilter', `"${text}" is no value; texts stand in quotes.`);
  }
}

const oneOrAll = (is: 'and' | 'or', all: readonly Filter[]): Filter => (all.length === 1 && all[0] ? all[0] : { is, all });

/** Parses a filter; throws invalidFilter. */
export const parseFilter = (text: string): Filter => new Reader(text).whole();

/** Parses the path of a patch; throws invalidPath. */
export function parsePath(text: string): PatchPath {
  try {
    return new Reader(text).path();
  } catch (error) {
    if (error instanceof ScimError) throw new ScimError('invalidPath', error.message);
    throw error;
  }
}

/** Whether the resource matches. What it does not have is like an attribute without a value. */
export function matches(kind: ResourceKind, resource: Json, filter: Filter): boolean {
  return holds(filter, (path) => {
    const found = resolvePath(kind, path);
    if (!found) return { attribute: undefined, values: [] };
    const { attribute, sub } = found;
    const given = listOf(resource[attribute.name]);
    return sub
      ? { attribute: sub, values: given.flatMap((one) => (isJson(one) ? listOf(one[sub.name]) : [])) }
      : { attribute, values: given };
  });
}

/** Returns whether a value of a complex attribute matches; paths name its sub-attributes. */
export function valueMatcher(attribute: Attribute, filter: Filter): (value: Json) => boolean {
  const subs = new Map<string, Attribute | undefined>();
  const subOf = (path: string): Attribute | undefined => {
    if (!subs.has(path)) subs.set(path, findAttribute(attribute.subAttributes, path));
    return subs.get(path);
  };
  return (value) =>
    holds(filter, (path) => {
      const sub = subOf(path);
      return { attribute: sub, values: sub ? listOf(value[sub.name]) : [] };
    });
}

/** How many comparisons a filter makes for one value. */
export const sizeOf = (filter: Filter): number => {
  if ('all' in filter) return filter.all.reduce((sum, one) => sum + sizeOf(one), 0);
  return 'filter' in filter ? sizeOf(filter.filter) : 1;
};

interface Found {
  readonly attribute: Attribute | undefined;
  readonly values: readonly unknown[];
}

function holds(filter: Filter, find: (path: string) => Found): boolean {
  switch (filter.is) {
    case 'and':
      return filter.all.every((one) => holds(one, find));
    case 'or':
      return filter.all.some((one) => holds(one, find));
    case 'not':
      return !holds(filter.filter, find);
    case 'present':
      return find(filter.path).values.some((value) => value !== '');
    case 'values': {
      const { attribute, values } = find(filter.path);
      const isMatch = attribute && valueMatcher(attribute, filter.filter);
      return isMatch !== undefined && values.some((value) => isJson(value) && isMatch(value));
    }
    case 'compare': {
      const { attribute, values } = find(filter.path);
      const { operator, value: wanted } = filter;
      if (attribute?.type === 'boolean' && !['eq', 'ne'].includes(operator))
        throw new ScimError('invalidFilter', `"${operator}" does not compare true and false.`);
      if (wanted === null) return operator === 'eq' ? values.length === 0 : operator === 'ne' && values.length > 0;
      if (values.length === 0) return operator === 'ne';
      // A complex value is compared by its sub-attribute "value".
      const own = attribute?.type === 'complex' ? (findAttribute(attribute.subAttributes, 'value') ?? attribute) : attribute;
      return values.some((value) => compares(operator, isJson(value) ? value['value'] : value, wanted, own));
    }
  }
}

function compares(operator: Operator, given: unknown, wanted: Exclude<Literal, null>, attribute: Attribute | undefined): boolean {
  if (typeof given !== typeof wanted) return operator === 'ne';
  const [left, right] = comparable(given, wanted, attribute);
  switch (operator) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
    case 'co':
      return String(left).includes(String(right));
    case 'sw':
      return String(left).startsWith(String(right));
    case 'ew':
      return String(left).endsWith(String(right));
  }
}

/** Times are compared as times, texts without regard to case unless the attribute says otherwise (RFC 7643, section 2.2). */
function comparable(given: unknown, wanted: Exclude<Literal, null>, attribute: Attribute | undefined): [string | number, string | number] {
  if (typeof wanted !== 'string') return [Number(given), Number(wanted)];
  const text = String(given);
  if (attribute?.type === 'dateTime' && !Number.isNaN(Date.parse(wanted))) return [Date.parse(text), Date.parse(wanted)];
  return attribute?.caseExact ? [text, wanted] : [folded(text), folded(wanted)];
}

/** The form of a text in which case does not matter, for comparisons. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase();

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
