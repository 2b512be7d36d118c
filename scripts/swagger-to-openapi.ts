/** Converts a Swagger 2.0 file to OpenAPI 3.0, as far as the distiller needs it. */
export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
export const mapValues = (record: unknown, change: (value: unknown) => unknown): Json =>
  isRecord(record) ? Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)])) : {};
const namesOf = (value: unknown, preset: readonly string[]): readonly string[] => (Array.isArray(value) ? value.map(String) : preset);

/** Moves definitions, parameters and responses to their OpenAPI 3 places, and keys of `x-ms-paths` to the paths. */
export function toOpenApi(swagger: Json): Json {
  const consumes = namesOf(swagger['consumes'], ['application/json']);
  const produces = namesOf(swagger['produces'], ['application/json']);
  const resolve = (thing: Json): Json => {
    const [, section = '', name = ''] = /^#\/(parameters|responses)\/(.+)$/.exec(refOf(thing)) ?? [];
    const found = isRecord(swagger[section]) ? swagger[section][name] : undefined;
    return isRecord(found) ? found : thing;
  };
  const paths = mapValues({ ...asRecord(swagger['paths']), ...asRecord(swagger['x-ms-paths']) }, (item) => {
    const shared = listOf(asRecord(item)['parameters']);
    return mapValues(item, (operation) => {
      if (!isRecord(operation) || !('responses' in operation)) return undefined;
      const all = [...shared, ...listOf(operation['parameters'])].map(resolve);
      const types = namesOf(operation['consumes'], consumes);
      const given = namesOf(operation['produces'], produces);
      return {
        parameters: all.filter((one) => one['in'] !== 'body' && one['in'] !== 'formData').map(toParameter),
        requestBody: toBody(all, types),
        responses: mapValues(operation['responses'], (reply) => toReply(resolve(asRecord(reply)), given)),
      };
    });
  });
  return {
    openapi: '3.0.3',
    info: swagger['info'],
    paths: rewrite(paths),
    components: { schemas: rewrite(asRecord(swagger['definitions'])) },
  };
}

const asRecord = (value: unknown): Json => (isRecord(value) ? value : {});

function toParameter({ name, in: place, required, collectionFormat, ...schema }: Json): Json {
  return {
    name,
    in: place,
    required,
    schema: toSchema(schema),
    ...(schema['type'] === 'array' ? { explode: collectionFormat === 'multi' } : {}),
  };
}

function toBody(parameters: readonly Json[], types: readonly string[]): Json | undefined {
  const body = parameters.find((one) => one['in'] === 'body');
  if (body)
    return {
      required: body['required'],
      content: Object.fromEntries(types.map((type) => [type, { schema: toSchema(asRecord(body['schema'])) }])),
    };
  const fields = parameters.filter((one) => one['in'] === 'formData');
  if (fields.length === 0) return undefined;
  const schema = {
    type: 'object',
    required: fields.filter((one) => one['required'] === true).map((one) => one['name']),
    properties: Object.fromEntries(fields.map((one) => [String(one['name']), toParameter(one)['schema']])),
  };
  const hasFile = fields.some((one) => one['type'] === 'file');
  return { required: true, content: { [hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded']: { schema } } };
}

function toReply({ schema, headers }: Json, types: readonly string[]): Json {
  const content = isRecord(schema) ? Object.fromEntries(types.map((type) => [type, { schema: toSchema(schema) }])) : undefined;
  return { content, headers: isRecord(headers) ? mapValues(headers, (header) => ({ schema: toSchema(asRecord(header)) })) : undefined };
}

const toSchema = (schema: Json): Json => (schema['type'] === 'file' ? { type: 'string', format: 'binary' } : schema);

const refOf = (thing: Json): string => (typeof thing['$ref'] === 'string' ? thing['$ref'] : '');

/** Rewrites references to definitions in OpenAPI 3 syntax. */
function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  if (!isRecord(value)) return value;
  if (refOf(value) !== '') return { $ref: refOf(value).replace('#/definitions/', '#/components/schemas/') };
  return mapValues(value, rewrite);
}
