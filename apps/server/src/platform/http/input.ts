import { type Static, type TObject, appError } from '@sheaf/contract';

type Read = (value: unknown, field: string) => unknown;
const wrong = (field: string): never => {
  throw appError('INVALID_PARAMETER', { field });
};

/** The subset of JSON Schema used by inputs of calls. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly contentMediaType?: string;
  readonly default?: unknown;
}

/**
 * Returns a function that turns a form, a query or a JSON body into the input of a call: converts form text to numbers and booleans and single values
 * to lists where the schema wants them, fills in defaults, and drops unknown fields (keeps them as text where the schema allows additional ones). The
 * function throws MISSING_PARAMETER or INVALID_PARAMETER. Throws at once for unsupported schemas.
 */
export function inputReader<I extends TObject>(input: I): (raw: unknown) => Static<I> {
  const { fields, keepsFurther } = fieldsOf(input);
  return (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw appError('MALFORMED_REQUEST', {});
    const given = raw as Readonly<Record<string, unknown>>;
    const result: Record<string, unknown> = keepsFurther ? furtherTexts(given) : {};
    for (const { name, read, preset, required: needed } of fields) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value !== undefined) result[name] = read(value, name);
      else if (preset !== undefined) result[name] = preset;
      else if (needed) throw appError('MISSING_PARAMETER', {});
    }
    return result as Static<I>;
  };
}

function fieldsOf({ properties = {}, required = [], additionalProperties }: Schema) {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    read: reader(schema),
    preset: schema.default,
    required: required.includes(name),
  }));
  return { fields, keepsFurther: additionalProperties === true };
}

function furtherTexts(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const scalars = Object.entries(given).filter(
    ([name, value]) => name !== '__proto__' && ['string', 'number', 'boolean'].includes(typeof value),
  );
  return Object.fromEntries(scalars.map(([name, value]) => [name, String(value)]));
}

function reader(schema: Schema): Read {
  if (schema.anyOf) return choice(schema.anyOf);
  if (schema.const !== undefined) return choice([schema]);
  const read = readers[schema.type ?? ''];
  if (!read) throw new Error(`inputs of calls cannot hold ${JSON.stringify(schema)}`);
  return read(schema);
}

/** Postgres stores every character but NUL (https://www.postgresql.org/docs/current/datatype-character.html), which no user types. */
const isStorable = (text: string): boolean => !text.includes('\0');

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): unknown => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);

const readers: Readonly<Record<string, (schema: Schema) => Read>> = {
  string:
    ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, enum: allowed, contentMediaType }) =>
    (value, field) => {
      const text = contentMediaType === 'application/json' && isObject(value) ? JSON.stringify(value) : textOf(value);
      if (allowed && !allowed.includes(text)) return wrong(field);
      return typeof text === 'string' && isStorable(text) && text.length >= minLength && text.length <= maxLength ? text : wrong(field);
    },
  integer: numberReader(Number.isSafeInteger),
  number: numberReader(Number.isFinite),
  boolean: () => (value, field) => {
    if (value === true || value === 'true' || value === '1' || value === 'on') return true;
    return value === false || value === 'false' || value === '0' ? false : wrong(field);
  },
  array: ({ items = {} }) => {
    const read = reader(items);
    return (value, field) => (Array.isArray(value) ? value : [value]).map((one) => read(one, field));
  },
  object: ({ additionalProperties }) => {
    if (typeof additionalProperties !== 'object') throw new Error('an object in an input of a call is a map of texts');
    const read = reader(additionalProperties);
    return (value, field) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(field);
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, read(one, field)]));
    };
  },
};

function numberReader(fits: (value: unknown) => boolean): (schema: Schema) => Read {
  return ({ minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }) =>
    (value, field) => {
      const number = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
      return typeof number === 'number' && fits(number) && number >= minimum && number <= maximum ? number : wrong(field);
    };
}

function choice(options: readonly Schema[]): Read {
  const byText = new Map(options.map((option) => [String(option.const), option.const]));
  if (options.some((option) => option.const === undefined)) throw new Error('a choice in an input of a call is between fixed values');
  // Only these convert to text safely: JSON may contain deeply nested lists, or an object with its own toString.
  const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return (value, field) => (isScalar(value) ? byText.get(String(value)) : undefined) ?? wrong(field);
}
