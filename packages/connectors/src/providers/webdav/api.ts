import type { Entry } from '../../core/connector.ts';
import { createHttpDates, httpDate } from '../../kit/http/http-date.ts';
import type { RecordReader } from '../../kit/xml/xml-records.ts';
import { type XmlElement, childOf, childText } from '../../kit/xml/xml.ts';
import { statusOf } from './errors.ts';
import { checksums, hashesIn } from './parts/checksums.ts';

/**
 * RFC 4918, section 9.1: requests the properties of an Entry that a server knows from one stat call. The content type is omitted: Apache
 * runs an internal subrequest per file for it, which takes longer than everything else, and its result follows from the extension anyway.
 * `propfindTyped` requests it for a single file without an extension.
 */
export const propfind = asking('');
export const propfindTyped = asking('<getcontenttype/>');
/** Like `propfind`, with the checksums of ownCloud and Nextcloud. */
export const propfindHashed = asking(checksums);
export const propfindTypedHashed = asking(`<getcontenttype/>${checksums}`);

function asking(more: string): string {
  return (
    '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>' +
    `<resourcetype/><getcontentlength/><getlastmodified/><getetag/>${more}</prop></propfind>`
  );
}

const dav = 'DAV:';

/** One `response` of a multi-status response. */
export interface Resource {
  /** The decoded path segments of its folder on the server. Consecutive resources share the array. */
  readonly folder: readonly string[];
  /** The entry; the server's root has no name. */
  readonly entry: Entry;
}

interface Facts {
  size?: number;
  modified?: number;
  etag?: string;
  mimeType?: string;
}
/** Parses one property's text. */
type ReadFact = (facts: Facts, text: string) => void;

/** Parses one `response`; undefined when the server reports the resource as missing, or names none. */
export function toResource(element: XmlElement): Resource | undefined {
  if (element.space !== dav) return undefined;
  const href = hrefOf(element);
  if (href === undefined || element.children.some((child) => isStatus(child) && (statusOf(child.text) ?? 200) >= 400)) return undefined;
  const { folder, name } = placeOf(segmentsOfHref(href.text));
  const facts: Facts = {};
  const props = foundProps(element);
  for (const prop of props) if (prop.space === dav) readers.get(prop.name)?.(facts, prop.text);
  const entry = entryOf(name, isFolder(element) ? 'folder' : 'file', facts);
  const hashes = hashesIn(props);
  return { folder, entry: hashes ? { ...entry, hashes } : entry };
}

/** Fast path for reading the responses of one listing: a server writes all files alike, and all folders. */
export function createResourceReader(): RecordReader<Resource | undefined> {
  const readPlace = createHrefReader();
  const readersOfMany = new Map(readers).set('getlastmodified', readModified(createHttpDates()));
  return {
    name: 'response',
    read: toResource,
    like(element, leaves) {
      if (!toResource(element)) return undefined;
      const href = hrefOf(element);
      const props = [...foundProps(element)];
      const kind = isFolder(element) ? 'folder' : 'file';
      const varying = leaves.filter((leaf) => leaf === href || props.includes(leaf));
      const hrefAt = varying.findIndex((leaf) => leaf === href);
      if (hrefAt < 0) return undefined;
      // Ignores properties of other namespaces, as `toResource` does.
      const takes = varying.map((leaf) => (leaf.space === dav ? readersOfMany.get(leaf.name) : undefined));
      return {
        varies: leaves.map((leaf) => varying.includes(leaf)),
        read(texts) {
          const { folder, name } = readPlace(texts[hrefAt] ?? '');
          const facts: Facts = {};
          for (let at = 0; at < takes.length; at++) takes[at]?.(facts, texts[at] ?? '');
          return { folder, entry: entryOf(name, kind, facts) };
        },
      };
    },
  };
}

const hrefOf = (element: XmlElement): XmlElement | undefined => childOf(element, 'href', dav);
const isStatus = ({ space, name }: XmlElement): boolean => space === dav && name === 'status';

/** Returns the properties that the resource has. */
const foundProps = (element: XmlElement): readonly XmlElement[] =>
  element.children
    .filter((child) => child.space === dav && child.name === 'propstat' && isFound(child))
    .flatMap((propstat) => childOf(propstat, 'prop', dav)?.children ?? []);

const isFolder = (element: XmlElement): boolean =>
  foundProps(element).some((prop) => prop.name === 'resourcetype' && childOf(prop, 'collection', dav) !== undefined);

/** RFC 4918, section 9.1: missing properties are listed under a separate status. */
const isFound = (propstat: XmlElement): boolean => (statusOf(childText(propstat, 'status', dav)) ?? 200) === 200;

const readModified =
  (epochSeconds: (date: string) => number | undefined): ReadFact =>
  (facts, text) => {
    const modified = epochSeconds(text.trim());
    if (modified !== undefined) facts.modified = modified;
  };

/** By property name: RFC 4918, section 15. */
const readers: ReadonlyMap<string, ReadFact> = new Map<string, ReadFact>([
  [
    'getcontentlength',
    (facts, text) => {
      const length = text.trim();
      if (/^\d{1,15}$/.test(length)) facts.size = Number(length);
    },
  ],
  ['getlastmodified', readModified(httpDate)],
  [
    'getetag',
    (facts, text) => {
      const etag = text.trim();
      if (etag !== '') facts.etag = etag;
    },
  ],
  [
    'getcontenttype',
    (facts, text) => {
      const mimeType = text.trim();
      if (mimeType !== '') facts.mimeType = mimeType;
    },
  ],
]);

function entryOf(name: string, kind: Entry['kind'], { size, modified, etag, mimeType }: Facts): Entry {
  // Most files have all of these, and an object literal takes half the memory of an object extended field by field.
  if (kind === 'file' && size !== undefined && modified !== undefined && etag !== undefined && mimeType === undefined)
    return { name, kind, size, modified, etag };
  return {
    name,
    kind,
    ...(kind === 'file' && size !== undefined && { size }),
    ...(modified !== undefined && { modified }),
    ...(etag !== undefined && { etag }),
    ...(kind === 'file' && mimeType !== undefined && { mimeType }),
  };
}

interface HrefPlace {
  readonly folder: readonly string[];
  readonly name: string;
}

const placeOf = (segments: readonly string[]): HrefPlace => ({ folder: segments.slice(0, -1), name: segments.at(-1) ?? '' });

/** Parses the `href`s of a listing; those of one folder, which are the majority, share their folder. */
function createHrefReader(): (href: string) => HrefPlace {
  let known: { readonly text: string; readonly folder: readonly string[] } | undefined;
  return (href) => {
    const cut = href.lastIndexOf('/', href.length - 2) + 1;
    const last = href.endsWith('/') ? href.slice(cut, -1) : href.slice(cut);
    const isPlain = last !== '' && last.trim() === last && last !== '/';
    if (known && isPlain && cut === known.text.length && href.startsWith(known.text))
      return { folder: known.folder, name: decodeSegment(last) };
    const place = placeOf(segmentsOfHref(href));
    if (isPlain && cut > 0 && place.name === decodeSegment(last)) known = { text: href.slice(0, cut), folder: place.folder };
    return place;
  };
}

/** Returns the decoded path segments of an `href`, which may be a path or a URL. */
export const segmentsOfHref = (href: string): readonly string[] =>
  href
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);

/**
 * Servers differ in what they encode, and some do not encode the percent sign; bytes that are not UTF-8 stay encoded. Text without escapes
 * is decoded as well: this copies it, while a substring of the whole response is slower to read and keeps the response in memory.
 */
const decodeSegment = (segment: string): string =>
  decoded(segment) ?? segment.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => decoded(run) ?? run);

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
