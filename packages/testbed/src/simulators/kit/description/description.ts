import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** A JSON Schema of a description. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

export interface Reference {
  readonly $ref: string;
}

export interface MediaType {
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, MediaType>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  /** A value with a media type of its own: JSON in a header. */
  readonly content?: Content;
  readonly explode?: boolean;
}

export interface RequestBody {
  readonly required?: boolean;
  readonly content: Content;
}

export interface ReplyDescription {
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, Reference | MediaType | { readonly content: Content }>>;
}

export interface OperationDescription {
  readonly parameters?: readonly (Reference | Parameter)[];
  readonly requestBody?: Reference | RequestBody;
  readonly responses: Readonly<Record<string, Reference | ReplyDescription>>;
}

/** The distilled form of a provider's OpenAPI 3.0 file, made by `scripts/distil-description.ts`. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const isDescription = new Ajv({ strict: false }).compile<Description>({
  type: 'object',
  required: ['openapi', 'paths'],
  properties: {
    openapi: { type: 'string', pattern: '^3\\.' },
    paths: { type: 'object', additionalProperties: { type: 'object' } },
    components: { type: 'object', additionalProperties: { type: 'object' } },
  },
});

/** Reads a distilled description. Throws when the file is invalid. */
export function readDescription(path: string): Description {
  const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isDescription(read)) throw new Error(`${path} is not an OpenAPI 3 description`);
  return read;
}

/** Resolves a reference inside the description; returns anything else unchanged. */
export function follow<T extends object>(description: Description, thing: T | Reference): T {
  if (!('$ref' in thing)) return thing;
  let found: unknown = description;
  for (const step of thing.$ref.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isRecord(found) ? found[name] : undefined;
  }
  if (!isRecord(found)) throw new Error(`the description lacks ${thing.$ref}`);
  return follow(description, found as T | Reference);
}

/** Resolves a schema that may be a reference. */
export const followSchema = (description: Description, schema: Schema): Schema =>
  isRecord(schema) && typeof schema['$ref'] === 'string' ? (follow(description, { $ref: schema['$ref'] }) as Schema) : schema;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
