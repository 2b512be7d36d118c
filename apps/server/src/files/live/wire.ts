import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { LinkNews } from './folder-news.ts';

/** News as instances send it to each other. */
const Payload = Type.Object({
  /** The sender. */
  from: Type.String(),
  link: Type.String(),
  changed: Type.Array(Type.String()),
  gone: Type.Array(Type.String()),
  isCut: Type.Boolean(),
});

/** Longest payload of a notification in bytes: Postgres allows less than 8,000. https://www.postgresql.org/docs/current/sql-notify.html */
const longest = 7900;

/** Encodes news; paths that do not fit are left out, and the news says so. */
export function payloadOf({ linkId, changed, gone, isCut = false }: LinkNews, from: string): string {
  const text = JSON.stringify({ from, link: linkId, changed, gone, isCut });
  if (Buffer.byteLength(text) <= longest) return text;
  return JSON.stringify({ from, link: linkId, changed: [], gone: [], isCut: true });
}

/** Parses a payload; undefined for one's own and for anything else: anybody with access to the database may notify. */
export function newsOf(text: string, self: string): LinkNews | undefined {
  const value = parse(text);
  if (!Check(Payload, value) || value.from === self) return undefined;
  const { link: linkId, changed, gone, isCut } = value;
  return { linkId, changed, gone, ...(isCut && { isCut }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
