import type { Entry } from '../../core/connector.ts';
import { type XmlElement, childOf, childText } from '../../kit/xml.ts';
import { statusOf } from './errors.ts';

/** RFC 4918, section 9.1: asks for what an Entry holds, and nothing else. */
export const propfind =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>' +
  '<resourcetype/><getcontentlength/><getlastmodified/><getetag/><getcontenttype/></prop></propfind>';

const dav = 'DAV:';

/** One `response` of a multi-status answer. */
export interface Resource {
  /** The decoded parts of its path on the server. */
  readonly segments: readonly string[];
  readonly entry: Entry;
}

/** Reads one `response`; undefined when the server says that the resource is not there, or names none. */
export function toResource(element: XmlElement): Resource | undefined {
  if (element.space !== dav) return undefined;
  let href: string | undefined;
  let isFolder = false;
  const facts: { size?: number; modified?: number; etag?: string; mimeType?: string } = {};
  for (const child of element.children) {
    if (child.space !== dav) continue;
    if (child.name === 'href') href ??= child.text;
    else if (child.name === 'status' && (statusOf(child.text) ?? 200) >= 400) return undefined;
    else if (child.name === 'propstat' && isFound(child))
      for (const prop of childOf(child, 'prop', dav)?.children ?? []) {
        if (prop.name === 'resourcetype') isFolder ||= childOf(prop, 'collection', dav) !== undefined;
        else if (prop.space === dav) readFact(facts, prop.name, prop.text.trim());
      }
  }
  if (href === undefined) return undefined;
  const segments = segmentsOfHref(href);
  const name = segments.at(-1) ?? '';
  if (!isFolder) return { segments, entry: { name, kind: 'file', ...facts } };
  const { size: _size, mimeType: _mimeType, ...ofFolder } = facts;
  return { segments, entry: { name, kind: 'folder', ...ofFolder } };
}

/** RFC 4918, section 9.1: properties that a resource lacks come under a status of their own. */
const isFound = (propstat: XmlElement): boolean => (statusOf(childText(propstat, 'status', dav)) ?? 200) === 200;

/** RFC 4918, section 15. */
function readFact(facts: { size?: number; modified?: number; etag?: string; mimeType?: string }, name: string, value: string): void {
  if (value === '') return;
  if (name === 'getcontentlength') {
    if (/^\d{1,15}$/.test(value)) facts.size = Number(value);
  } else if (name === 'getlastmodified') {
    const modified = timeOf(value);
    if (modified !== undefined) facts.modified = modified;
  } else if (name === 'getetag') facts.etag = value;
  else if (name === 'getcontenttype') facts.mimeType = value;
}

/** Epoch seconds of an HTTP date; undefined when it is none. */
export function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

/** The decoded parts of the path in a `href`, which may be a path or a whole address. */
export const segmentsOfHref = (href: string): readonly string[] =>
  href
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);

/** Servers differ in what they encode, and some forget the percent sign itself; bytes that are not UTF-8 stay encoded. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  return decoded(segment) ?? segment.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => decoded(run) ?? run);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
