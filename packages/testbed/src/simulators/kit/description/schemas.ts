import addFormats from 'ajv-formats';
import { Ajv2019, type ErrorObject } from 'ajv/dist/2019.js';
import { type Description, type Schema, followSchema, isRecord } from './description.ts';

/** Returns what is wrong with a value, if anything. Names fields, never shows values. */
export type Check = (value: unknown) => string | undefined;

/** Validators of a description's schemas, compiled lazily. */
export interface Schemas {
  /** For what a client sends. */
  asked(schema: Schema): Check;
  /** For the provider's responses: allows undescribed fields. */
  answered(schema: Schema): Check;
}

/** Creates the validators. With `strict`, a client's JSON may contain only described fields, unless the schema allows others. */
export function createSchemas(description: Description, { strict }: { readonly strict: boolean }): Schemas {
  const side = (use: Use) => {
    const ajv = new Ajv2019({ strict: false, logger: false, allErrors: false, validateSchema: false, unicodeRegExp: false });
    addFormats.default(ajv);
    const definitions = Object.entries(description.components?.['schemas'] ?? {});
    const $defs = Object.fromEntries(definitions.map(([name, schema]) => [name, translate(schema, use, description)]));
    ajv.addSchema({ $id: 'description', $defs });
    const known = new Map<Schema, Check>();
    return (schema: Schema): Check => {
      let check = known.get(schema);
      if (!check) {
        const validate = ajv.compile(close(translate(schema, use, description), schema, use, description));
        check = (value) => (validate(value) ? undefined : explain(validate.errors?.[0]));
        known.set(schema, check);
      }
      return check;
    };
  };
  return { asked: side(strict ? 'closed' : 'asked'), answered: side('answered') };
}

/** The side that a schema is for. `closed` is the client's side without undescribed fields. */
type Use = 'closed' | 'asked' | 'answered';

/**
 * Converts a schema for Ajv: references point to `$defs`, `oneOf` becomes at least one (descriptions use it for open unions that overlap without the
 * discriminator), and fields that only the other side writes are not required.
 */
function translate(schema: unknown, use: Use, description: Description): Schema {
  if (!isRecord(schema)) return schema !== false;
  const out: Record<string, unknown> = {};
  const inner = (part: unknown) => close(translate(part, use, description), part, use, description);
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$ref') out['$ref'] = String(value).replace('#/components/schemas/', 'description#/$defs/');
    else if (keyword === 'properties' && isRecord(value)) out[keyword] = mapValues(value, inner);
    else if (keyword === 'items') out[keyword] = inner(value);
    else if (keyword === 'additionalProperties' && isRecord(value)) out[keyword] = inner(value);
    else if (keyword === 'additionalProperties' && value === false && use === 'answered') continue;
    else if ((keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') && Array.isArray(value)) {
      const parts = value.map((part) => translate(part, use, description));
      const name = keyword === 'allOf' ? 'allOf' : 'anyOf';
      if (out[name] === undefined) out[name] = parts;
      else out['allOf'] = [...asList(out['allOf']), { [name]: parts }];
    } else if (keyword === 'not') out[keyword] = translate(value, use, description);
    else if (keyword === 'required' && Array.isArray(value)) out[keyword] = value.filter((name) => !writtenByOther(schema, name, use));
    else if (kept.has(keyword)) out[keyword] = value;
  }
  return out;
}

const kept = new Set(
  (
    'type enum const format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minItems maxItems uniqueItems minProperties maxProperties additionalProperties'
  ).split(' '),
);

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const mapValues = (record: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

function writtenByOther(schema: Readonly<Record<string, unknown>>, name: unknown, use: Use): boolean {
  const properties = schema['properties'];
  const property = isRecord(properties) ? properties[String(name)] : undefined;
  return isRecord(property) && property[use === 'answered' ? 'writeOnly' : 'readOnly'] === true;
}

/** Refuses fields that no part of the schema names. Schemas without any named fields stay open. */
function close(translated: Schema, original: unknown, use: Use, description: Description): Schema {
  if (use !== 'closed' || typeof translated === 'boolean' || !namesFields(original, description, new Set())) return translated;
  return { ...translated, unevaluatedProperties: false };
}

function namesFields(schema: unknown, description: Description, seen: Set<unknown>): boolean {
  if (!isRecord(schema) || seen.has(schema)) return false;
  seen.add(schema);
  if (typeof schema['$ref'] === 'string') return namesFields(followSchema(description, schema), description, seen);
  if (isRecord(schema['properties'])) return true;
  return ['allOf', 'anyOf', 'oneOf'].some((keyword) => asList(schema[keyword]).some((part) => namesFields(part, description, seen)));
}

function explain(error: ErrorObject | undefined): string {
  if (!error) return 'is not as described';
  const field = error.params['unevaluatedProperty'] ?? error.params['additionalProperty'];
  const where = error.instancePath === '' ? 'it' : error.instancePath.slice(1).replaceAll('/', '.');
  return field === undefined ? `${where} ${error.message ?? 'is wrong'}` : `${where} must not have ${String(field)}`;
}
