/**
 * Distils an API description to the facts that a simulator checks: the named operations and every schema they reach, without prose.
 *
 *   node scripts/distil-description.ts INPUT.json --out OUTPUT.json [--open SCHEMA]... [--errors-at-200] 'GET /files' 'POST /files/{id}#rename' ...
 *
 * INPUT is OpenAPI 3.0 or Swagger 2.0. Operations are named by method and path key as the file spells it, with what follows a `#` or a `?`; several keys of
 * one path are tried one after another when a request comes. `--open` lets a schema be anything, which cuts off what only it reaches. `--errors-at-200` is for
 * providers that answer failures with 200: an answer may then be as described for 200 or as described for failures.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Json, isRecord, listOf, mapValues, toOpenApi } from './swagger-to-openapi.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    open: { type: 'string', multiple: true, default: [] },
    'errors-at-200': { type: 'boolean', default: false },
  },
});
const [input, ...wanted] = positionals;
if (input === undefined || values.out === undefined || wanted.length === 0) fail('Give an input file, --out and the operations to keep.');

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}

const read: unknown = JSON.parse(readFileSync(input, 'utf8'));
if (!isRecord(read)) fail(`${input} is no description.`);
const source = 'swagger' in read ? toOpenApi(read) : read;
const reached = new Map<string, unknown>();

/** Cleans what a reference points at, once, and keeps it. */
function reach($ref: string): Json {
  const [, section = '', name = ''] = /^#\/components\/([^/]+)\/(.+)$/.exec($ref) ?? fail(`The reference ${$ref} leads nowhere known.`);
  if (reached.has($ref)) return { $ref };
  reached.set($ref, undefined);
  const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
  const components = source['components'];
  const all = isRecord(components) ? components[section] : undefined;
  const found = isRecord(all) ? all[key] : undefined;
  if (!isRecord(found)) fail(`The description lacks ${$ref}.`);
  const isOpen = section === 'schemas' && values.open.includes(key);
  reached.set($ref, isOpen ? {} : clean(section, found));
  return { $ref };
}

function clean(section: string, found: Json): unknown {
  if (section === 'schemas') return toSchema(found);
  if (section === 'parameters') return toParameter(found);
  if (section === 'requestBodies') return toBody(found);
  return section === 'headers' ? toHeader(found) : toReply(found);
}

const kept = new Set(
  (
    'type enum const format pattern minLength maxLength minimum maximum multipleOf minItems maxItems uniqueItems minProperties maxProperties ' +
    'readOnly writeOnly'
  ).split(' '),
);

function toSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  if (typeof schema['$ref'] === 'string') return reach(schema['$ref']);
  const out: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (kept.has(keyword)) out[keyword] = value;
    else if (keyword === 'required' && Array.isArray(value) && value.length > 0) out[keyword] = value;
    else if (keyword === 'properties') out[keyword] = mapValues(value, toSchema);
    else if (keyword === 'items' && !Array.isArray(value)) out[keyword] = toSchema(value);
    else if (keyword === 'not' || keyword === 'additionalProperties') out[keyword] = toSchema(value);
    else if (/^(all|any|one)Of$/.test(keyword) && Array.isArray(value)) out[keyword] = value.map(toSchema);
  }
  for (const bound of ['Minimum', 'Maximum']) {
    const exclusive = schema[`exclusive${bound}`];
    if (exclusive === true) {
      out[`exclusive${bound}`] = out[bound.toLowerCase()];
      delete out[bound.toLowerCase()];
    } else if (typeof exclusive === 'number') out[`exclusive${bound}`] = exclusive;
  }
  return schema['nullable'] === true || schema['x-nullable'] === true ? orNull(out) : out;
}

function orNull(schema: Record<string, unknown>): Json {
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}), ...rest };
}

const toMedia = (media: unknown) => (isRecord(media) && 'schema' in media ? { schema: toSchema(media['schema']) } : {});
const toContent = (content: unknown): Json | undefined => (isRecord(content) ? mapValues(content, toMedia) : undefined);

function toParameter(one: Json): unknown {
  if (typeof one['$ref'] === 'string') return reach(one['$ref']);
  return {
    name: one['name'],
    in: one['in'],
    ...(one['required'] === true ? { required: true } : {}),
    ...(one['explode'] === false ? { explode: false } : {}),
    ...('schema' in one ? { schema: toSchema(one['schema']) } : { content: toContent(one['content']) }),
  };
}

function toBody(body: unknown): unknown {
  if (!isRecord(body)) return undefined;
  if (typeof body['$ref'] === 'string') return reach(body['$ref']);
  return { ...(body['required'] === true ? { required: true } : {}), content: toContent(body['content']) };
}

function toHeader(header: unknown): unknown {
  if (!isRecord(header)) return {};
  if (typeof header['$ref'] === 'string') return reach(header['$ref']);
  return 'content' in header ? { content: toContent(header['content']) } : { schema: toSchema(header['schema']) };
}

function toReply(reply: unknown): unknown {
  if (!isRecord(reply)) return {};
  if (typeof reply['$ref'] === 'string') return reach(reply['$ref']);
  const content = toContent(reply['content']);
  const headers =
    isRecord(reply['headers']) && Object.keys(reply['headers']).length > 0 ? mapValues(reply['headers'], toHeader) : undefined;
  return { ...(content ? { content } : {}), ...(headers ? { headers } : {}) };
}

function toReplies(replies: unknown): Json {
  const all = mapValues(replies, toReply);
  const success = values['errors-at-200'] ? jsonOf(all['200']) : undefined;
  const failure = jsonOf(all['default']);
  if (success === undefined || failure === undefined) return all;
  return { ...all, 200: { content: { 'application/json': { schema: { anyOf: [success, failure] } } } } };
}

function jsonOf(reply: unknown): unknown {
  const content = isRecord(reply) ? reply['content'] : undefined;
  const media = isRecord(content) ? content['application/json'] : undefined;
  return isRecord(media) ? media['schema'] : undefined;
}

const sourcePaths = isRecord(source['paths']) ? source['paths'] : {};
const paths: Record<string, Record<string, unknown>> = {};
for (const name of wanted) {
  const [method = '', ...rest] = name.split(' ');
  const key = rest.join(' ');
  const item = sourcePaths[key];
  const operation = isRecord(item) ? item[method.toLowerCase()] : undefined;
  if (!isRecord(item) || !isRecord(operation)) {
    const start = key.split('/').slice(0, 3).join('/');
    fail(
      `${input} has no ${name}. It has:\n${Object.keys(sourcePaths)
        .filter((one) => one.startsWith(start))
        .join('\n')}`,
    );
  }
  const own = listOf(operation['parameters']);
  const shared = listOf(item['parameters']).filter((one) => !own.some((other) => nameOf(other) === nameOf(one)));
  const parameters = [...shared, ...own].map(toParameter);
  const requestBody = toBody(operation['requestBody']);
  (paths[key] ??= {})[method.toLowerCase()] = {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: toReplies(operation['responses']),
  };
}

function nameOf(parameter: Json): string {
  return JSON.stringify(parameter['$ref'] ?? [parameter['in'], parameter['name']]);
}

const components: Record<string, Record<string, unknown>> = {};
for (const [$ref, cleaned] of [...reached].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [, , section = '', ...name] = $ref.split('/');
  (components[section] ??= {})[decodeURIComponent(name.join('/')).replaceAll('~1', '/').replaceAll('~0', '~')] = cleaned;
}
const info = isRecord(source['info']) ? source['info'] : {};
const distilled = { openapi: '3.0.3', info: { title: info['title'], version: info['version'] }, paths, components };
writeFileSync(values.out, `${JSON.stringify(distilled, null, 2)}\n`);
console.log(`${values.out}: ${wanted.length} operations, ${reached.size} parts, ${JSON.stringify(distilled).length} bytes without spaces`);
