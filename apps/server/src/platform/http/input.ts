import { type Static, type TObject, type TSchema, appError } from '@sheaf/contract';
import { type Validator, Compile } from 'typebox/compile';
import { Check } from 'typebox/value';

/** The keywords that say how a form writes a value. Whether a value is right is left to the schema library. */
interface Schema extends TSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly contentMediaType?: string;
  readonly default?: unknown;
}

/** Returns the value in the schema's type where a form wrote it as text, otherwise the value itself. */
type Convert = (value: unknown) => unknown;

/**
 * Returns a function that turns a form, a query or a JSON body into the input of a call: converts form text to numbers and booleans and single values
 * to lists where the schema wants them, fills in defaults, and drops unknown fields (keeps them as text where the schema allows additional ones). The
 * function throws MISSING_PARAMETER, or INVALID_PARAMETER for what the schema does not allow.
 */
export function inputReader<I extends TObject>(input: I): (raw: unknown) => Static<I> {
  const whole: Schema = input;
  const { properties = {}, required = [], additionalProperties } = whole;
  const listFields = () => Object.entries(properties).map(([name, schema]) => ({ name, schema, convert: converterOf(schema) }));
  // Made at the first request, so that the start does not wait for all calls.
  let [fields, validator]: [ReturnType<typeof listFields>?, Validator?] = [];
  return (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw appError('MALFORMED_REQUEST', {});
    const given = raw as Readonly<Record<string, unknown>>;
    fields ??= listFields();
    const result: Record<string, unknown> = additionalProperties === true ? furtherTexts(given) : {};
    for (const { name, schema, convert } of fields) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value !== undefined) result[name] = convert(value);
      else if (schema.default !== undefined) result[name] = schema.default;
    }
    validator ??= Compile(input);
    if (validator.Check(result) && fields.every(({ name }) => isStorable(result[name]))) return result as Static<I>;
    for (const { name, schema } of fields) {
      const value = result[name];
      if (value === undefined) {
        if (required.includes(name)) throw appError('MISSING_PARAMETER', {});
      } else if (!Check(schema, value) || !isStorable(value)) throw appError('INVALID_PARAMETER', { field: name });
    }
    throw new Error('the input is wrong, but none of its fields');
  };
}

function furtherTexts(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const scalars = Object.entries(given).filter(([name, value]) => name !== '__proto__' && isScalar(value));
  return Object.fromEntries(scalars.map(([name, value]) => [name, String(value)]));
}

/**
 * Excludes what JSON Schema cannot: NUL, the one character that Postgres does not store
 * (https://www.postgresql.org/docs/current/datatype-character.html), and integers that JavaScript does not hold exactly. The value has passed its
 * schema, which bounds its depth.
 */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0');
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}

/** Only these convert to text safely: JSON may contain deeply nested lists, or an object with its own toString. */
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

function converterOf(schema: Schema): Convert {
  const { type, anyOf, const: only, items = {}, additionalProperties, contentMediaType } = schema;
  if (anyOf) return firstAllowed(anyOf);
  if (isScalar(only)) return (value) => (isScalar(value) && String(value) === String(only) ? only : value);
  if (type === 'string')
    return contentMediaType === 'application/json' ? (value) => textOf(isObject(value) ? JSON.stringify(value) : value) : textOf;
  if (type === 'integer' || type === 'number')
    return (value) => (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value);
  if (type === 'boolean') return (value) => (typeof value === 'string' ? (truths.get(value) ?? value) : value);
  if (type === 'array') {
    const convert = converterOf(items);
    return (value) => (Array.isArray(value) ? value : [value]).map(convert);
  }
  if (isObject(additionalProperties)) {
    const convert = converterOf(additionalProperties);
    return (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, convert(one)])) : value);
  }
  return (value) => value;
}

const textOf: Convert = (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
/** How forms and addresses write booleans; a checked box of a form is `on`. */
const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
]);

/** Converts as the first option does that allows the result. Most options are constants, which need no validator. */
function firstAllowed(options: readonly Schema[]): Convert {
  const converts = options.map((schema) => ({ schema, convert: converterOf(schema) }));
  return (value) => {
    for (const { schema, convert } of converts) {
      const converted = convert(value);
      if (isScalar(schema.const) ? converted === schema.const : Check(schema, converted)) return converted;
    }
    return value;
  };
}
