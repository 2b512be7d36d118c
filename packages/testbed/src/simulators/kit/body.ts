import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type Description, type MediaType, type Schema, follow, followSchema, isRecord } from './description/description.ts';
import type { Operation, Variant } from './description/operations.ts';
import { checkText } from './description/parameters.ts';
import type { Schemas } from './description/schemas.ts';
import { MultipartError, type Part, boundaryOf, readParts } from './multipart.ts';

/** A file inside a multipart body, while it is received. */
export interface SentFile {
  /** Name of the form's field; `undefined` in multipart/related. */
  readonly field: string | undefined;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly stream: Readable;
}

/** The parsed part of a request's body. */
export interface Body {
  readonly json?: unknown;
  /** Fields of a form, in either encoding. */
  readonly form?: URLSearchParams;
  readonly file?: SentFile;
}

/** The body does not match the description. */
export class BodyError extends Error {}

const longestDocument = 32 * 1024 * 1024;
/** A part up to this size that has no file name is a field. */
const longestField = 4 * 1024 * 1024;

/**
 * Parses the documents of a body: JSON, a form, or the fields before the file of a multipart body. Raw bytes and files remain in the stream. Throws
 * {@link BodyError}.
 */
export async function readBody(
  incoming: IncomingMessage,
  stream: Readable,
  operation: Operation,
  description: Description,
  onTrailing: (why: string) => void,
): Promise<Body> {
  const type = contentTypeOf(incoming);
  if (!hasBody(incoming) || isEmpty(incoming)) return {};
  const contents = operation.variants.map(({ description: one }) => one.requestBody && follow(description, one.requestBody).content);
  const medias = contents.flatMap((content) => (content ? [mediaOf(content, type)] : []));
  // A JSON file sent as raw bytes stays raw.
  if (!type.startsWith('multipart/') && medias.some((media) => media?.schema !== undefined && isRaw(media.schema))) return {};
  if (isJson(type)) return { json: parse(await readText(stream, longestDocument)) };
  if (type === 'application/x-www-form-urlencoded') return { form: new URLSearchParams(await readText(stream, longestDocument)) };
  if (!type.startsWith('multipart/')) return {};
  const boundary = boundaryOf(incoming.headers['content-type'] ?? '');
  if (boundary === undefined) throw new BodyError('the multipart body names no boundary');
  return await readFields(readParts(stream, boundary), type, onTrailing);
}

async function readFields(parts: AsyncGenerator<Part, void, undefined>, type: string, onTrailing: (why: string) => void): Promise<Body> {
  const form = new URLSearchParams();
  let json: unknown;
  for (;;) {
    const next = await told(parts.next());
    if (next.done) return type === 'multipart/related' ? { json } : { form };
    const part = next.value;
    const partType = part.headers['content-type'];
    if (type === 'multipart/related' && json === undefined) {
      if (!isJson(typeOnly(partType))) throw new BodyError('the first part is not JSON');
      json = parse(await readText(part.bytes, longestDocument));
    } else if (type !== 'multipart/related' && part.filename === undefined && part.name !== undefined) {
      form.append(part.name, await readText(part.bytes, longestField));
    } else {
      const stream = Readable.from(fileThenEnd(part, parts, onTrailing), { objectMode: false, highWaterMark: 1024 * 1024 });
      const file: SentFile = { field: part.name, filename: part.filename, type: partType, stream };
      return type === 'multipart/related' ? { json, file } : { form, file };
    }
  }
}

/** Yields the file's bytes and reports anything after them: providers read the fields first, so that nothing may follow the file. */
async function* fileThenEnd(part: Part, parts: AsyncGenerator<Part, void, undefined>, onTrailing: (why: string) => void) {
  yield* part.bytes;
  for (let next = await parts.next(); !next.done; next = await parts.next())
    onTrailing(`a part named ${next.value.name ?? 'nothing'} follows the file`);
}

async function told<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw error instanceof MultipartError ? new BodyError(error.message) : error;
  }
}

/** Returns what is wrong with a parsed body, if anything. */
export function checkBody(
  incoming: IncomingMessage,
  body: Body,
  variant: Variant,
  description: Description,
  schemas: Schemas,
): string | undefined {
  const described = variant.description.requestBody && follow(description, variant.description.requestBody);
  const type = contentTypeOf(incoming);
  const media = described && mediaOf(described.content, type);
  const raw = media?.schema !== undefined && isRaw(media.schema);
  // A required empty body has a Content-Length of zero; a raw body without bytes is an empty file.
  if (!hasBody(incoming) || (isEmpty(incoming) && !raw)) return described?.required ? 'the body is missing' : undefined;
  if (!described) return 'a body is not described';
  if (!media) return `content type ${type || 'none'} is not described`;
  // Metadata next to a file has the schema of the operation's JSON body.
  const schema = raw && type === 'multipart/related' ? described.content['application/json']?.schema : media.schema;
  if (schema === undefined || isRaw(schema)) return undefined;
  if (isJson(type) || type === 'multipart/related') return schemas.asked(schema)(body.json);
  return body.form ? checkForm(schema, body, description, schemas) : undefined;
}

const isRaw = (schema: Schema): boolean => isRecord(schema) && schema['type'] === 'string' && schema['format'] === 'binary';

function checkForm(schema: Schema, { form, file }: Body, description: Description, schemas: Schemas): string | undefined {
  const target = followSchema(description, schema);
  if (!isRecord(target)) return undefined;
  const properties = isRecord(target['properties']) ? target['properties'] : {};
  // Rails writes nested fields as `file[name]`; their contents are validated as far as the outer field is described.
  const sent = [...new Set([...(form?.keys() ?? []), ...(file?.field === undefined ? [] : [file.field])])];
  const outer = (name: string) => (name in properties ? name : (/^([^[]+)\[/.exec(name)?.[1] ?? name));
  for (const name of Array.isArray(target['required']) ? target['required'].map(String) : [])
    if (!sent.some((one) => outer(one) === name)) return `field ${name} is missing`;
  for (const name of sent) {
    const property = properties[outer(name)];
    if (property === undefined) {
      const isClosed = target['additionalProperties'] === undefined || target['additionalProperties'] === false;
      if (isClosed && Object.keys(properties).length > 0) return `field ${name} is not described`;
      continue;
    }
    const wrong = file?.field === name ? undefined : checkField(property as Schema, name, form?.getAll(name) ?? [], description, schemas);
    if (wrong) return `field ${name}: ${wrong}`;
  }
  return undefined;
}

/** Validates a form field: text for the value, or JSON where an object is expected. */
function checkField(
  schema: Schema,
  name: string,
  texts: readonly string[],
  description: Description,
  schemas: Schemas,
): string | undefined {
  const steps = [...name.matchAll(/\[([^\]]*)\]/g)].map(([, step = '']) => step);
  let inner = schema;
  for (const step of steps) {
    const outer = followSchema(description, inner);
    if (!isRecord(outer)) return undefined;
    const properties = outer['properties'];
    const next = isRecord(properties) ? properties[step] : outer['items'];
    if (next === undefined) return isRecord(properties) ? `${step} is not described` : undefined;
    inner = next as Schema;
  }
  const asText = checkText(inner, texts, schemas);
  const [text = ''] = texts;
  if (asText === undefined || !/^\s*[[{]/.test(text)) return asText;
  try {
    return schemas.asked(inner)(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return asText;
    throw error;
  }
}

/** Returns the entry for a content type: an exact match, then any JSON for JSON, then a wildcard. */
export function mediaOf(content: Readonly<Record<string, MediaType>>, type: string): MediaType | undefined {
  const entries = Object.entries(content).map(([name, media]) => [typeOnly(name), media] as const);
  const find = (wanted: (name: string) => boolean) => entries.find(([name]) => wanted(name))?.[1];
  const family = `${type.split('/')[0]}/*`;
  return find((name) => name === type) ?? find((name) => isJson(name) && isJson(type)) ?? find((name) => name === family || name === '*/*');
}

export const typeOnly = (header: string | undefined): string => header?.split(';')[0]?.trim().toLowerCase() ?? '';
export const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json');
const contentTypeOf = (incoming: IncomingMessage): string => typeOnly(incoming.headers['content-type']);
const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || incoming.headers['content-length'] !== undefined;
const isEmpty = (incoming: IncomingMessage): boolean => incoming.headers['content-length'] === '0';

async function readText(bytes: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > limit) throw new BodyError('the document is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof MultipartError ? new BodyError(error.message) : error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new BodyError('the body is not JSON');
    throw error;
  }
}
