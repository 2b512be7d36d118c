import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { isJson, mediaOf, typeOnly } from './body.ts';
import { type Description, type ReplyDescription, follow } from './description/description.ts';
import type { Operation } from './description/operations.ts';
import type { Schemas } from './description/schemas.ts';

/** A handler's response. Without a body only a status; `stream` may have a `size`, its length in bytes. */
export interface Reply {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly stream?: Readable;
  readonly size?: number;
  /** An absolute URL: responds with a 302 to it. */
  readonly redirect?: string;
}

/** An error response thrown by a handler. */
export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`answered ${reply.status ?? 200}`);
    this.reply = reply;
  }
}

/** Creates an error to throw from any depth of a handler: `throw refuse({ status: 404, json: … })`. */
export const refuse = (reply: Reply): Refusal => new Refusal(reply);

export const statusOf = (reply: Reply): number => reply.status ?? (reply.redirect === undefined ? 200 : 302);

/** Returns the response's headers, with the body's default content type. */
export function headersOf(reply: Reply, operation: Operation | undefined, description: Description | undefined): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers[name.toLowerCase()] = value;
  if (reply.redirect !== undefined) headers['location'] = reply.redirect;
  if (reply.json !== undefined) headers['content-type'] ??= jsonTypeOf(reply, operation, description);
  else if (reply.text !== undefined) headers['content-type'] ??= 'text/plain; charset=utf-8';
  else if (reply.bytes ?? reply.stream) headers['content-type'] ??= 'application/octet-stream';
  return headers;
}

/** Returns the described JSON type for this status: some providers use `application/vnd.api+json`. */
function jsonTypeOf(reply: Reply, operation: Operation | undefined, description: Description | undefined): string {
  const described = operation && description ? describedReplies(operation, description, statusOf(reply)) : [];
  const types = described.flatMap((one) => Object.keys(one.content ?? {})).filter((name) => isJson(typeOnly(name)));
  return types[0] ?? 'application/json; charset=utf-8';
}

interface Described {
  readonly operation: Operation;
  readonly description: Description;
  readonly schemas: Schemas;
  /** Statuses that are documented but missing in the description → the schema of their JSON, or null when it is free. */
  readonly alsoStatuses: Readonly<Record<number, string | null>>;
}

/** Returns what is wrong with a response, if anything. Under several keys, one match is enough. */
export function checkReply(reply: Reply, { operation, description, schemas, alsoStatuses }: Described): string | undefined {
  const status = statusOf(reply);
  const described = describedReplies(operation, description, status);
  if (described.length > 0) {
    const [first, ...others] = described.map((one) => checkOne(reply, one, operation, description, schemas));
    return first === undefined || others.includes(undefined) ? undefined : first;
  }
  const also = alsoStatuses[status];
  if (also === undefined) return `status ${status} is not described`;
  if (also === null || reply.json === undefined) return undefined;
  return prefixed('answer', schemas.answered({ $ref: `#/components/schemas/${also}` })(reply.json));
}

function checkOne(reply: Reply, described: ReplyDescription, operation: Operation, description: Description, schemas: Schemas) {
  const headers = headersOf(reply, operation, description);
  for (const [name, header] of Object.entries(described.headers ?? {})) {
    const value = headers[name.toLowerCase()];
    const json = 'content' in header ? header.content['application/json']?.schema : undefined;
    if (json === undefined || value === undefined) continue;
    const wrong = schemas.answered(json)(JSON.parse(String(value)));
    if (wrong) return `header ${name}: ${wrong}`;
  }
  const type = typeOnly(headers['content-type']?.toString());
  if (type === '' || (reply.redirect !== undefined && reply.json === undefined)) return undefined;
  const content = described.content ?? {};
  const media = mediaOf(content, type);
  if (!media) return `content type ${type} is not described for status ${statusOf(reply)}`;
  if (reply.json === undefined || media.schema === undefined) return undefined;
  return prefixed('answer', schemas.answered(media.schema)(reply.json));
}

const prefixed = (what: string, wrong: string | undefined): string | undefined => wrong && `${what}: ${wrong}`;

function describedReplies(operation: Operation, description: Description, status: number): ReplyDescription[] {
  return operation.variants.flatMap(({ description: { responses } }) => {
    const family = `${Math.floor(status / 100)}XX`;
    // A partial response has the headers described for the whole.
    const partly = status === 206 || status === 304 ? responses['200'] : undefined;
    const found = responses[status] ?? responses[family] ?? partly ?? responses['default'];
    return found ? [follow(description, found)] : [];
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Text as it stands in HTML and XML. */
export const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
