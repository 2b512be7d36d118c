import type { Entry } from '../../core/connector.ts';
import { createHttpDates, httpDate } from '../../kit/http/http-date.ts';
import type { RecordReader } from '../../kit/xml/xml-records.ts';
import { type XmlElement, childOf, childText } from '../../kit/xml/xml.ts';
import { statusOf } from './errors.ts';

/**
 * RFC 4918, section 9.1: asks for what an Entry holds and a server knows by looking at the file once. The content type is left out: Apache works through a request of its
 * own for every file to tell it, which takes longer than all the rest, and tells what the name's ending says anyway. Of one file whose name has none, `propfindTyped` asks it.
 */
export const propfind = asking('');
export const propfindTyped = asking('<getcontenttype/>');

function asking(more: string): string {
  return (
    '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>' +
    `<resourcetype/><getcontentlength/><getlastmodified/><getetag/>${more}</prop></propfind>`
  );
}

const dav = 'DAV:';

/** One `response` of a multi-status answer. */
export interface Resource {
  /** The decoded parts of the path of the folder it is in, on the server. Resources read one after the other share the array. */
  readonly folder: readonly string[];
  /** Without a name for the server's root. */
  readonly entry: Entry;
}

interface Facts {
  size?: number;
  modified?: number;
  etag?: string;
  mimeType?: string;
}
/** Takes one fact from the text of its property. */
type ReadFact = (facts: Facts, text: string) => void;

/** Reads one `response`; undefined when the server says that the resource is not there, or names none. */
export function toResource(element: XmlElement): Resource | undefined {
  if (element.space !== dav) return undefined;
  const href = hrefOf(element);
  if (href === undefined || element.children.some((child) => isStatus(child) && (statusOf(child.text) ?? 200) >= 400)) return undefined;
  const { folder, name } = placeOf(segmentsOfHref(href.text));
  const facts: Facts = {};
  for (const prop of foundProps(element)) if (prop.space === dav) readers.get(prop.name)?.(facts, prop.text);
  return { folder, entry: entryOf(name, isFolder(element) ? 'folder' : 'file', facts) };
}

/** How the responses of one answer are read. A server writes those of files alike, and those of folders. */
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
      // Properties that other namespaces have are passed over, as `toResource` does it.
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

/** The properties that the resource has. */
const foundProps = (element: XmlElement): readonly XmlElement[] =>
  element.children
    .filter((child) => child.space === dav && child.name === 'propstat' && isFound(child))
    .flatMap((propstat) => childOf(propstat, 'prop', dav)?.children ?? []);

const isFolder = (element: XmlElement): boolean =>
  foundProps(element).some((prop) => prop.name === 'resourcetype' && childOf(prop, 'collection', dav) !== undefined);

/** RFC 4918, section 9.1: properties that a resource lacks come under a status of their own. */
const isFound = (propstat: XmlElement): boolean => (statusOf(childText(propstat, 'status', dav)) ?? 200) === 200;

const readModified =
  (epochSeconds: (date: string) => number | undefined): ReadFact =>
  (facts, text) => {
    const modified = epochSeconds(text.trim());
    if (modified !== undefined) facts.modified = modified;
  };

/** By the property's name: RFC 4918, section 15. */
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
  // Most files of a listing have all of these, and an object made in one piece is half of one that grows.
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

/** Reads the `href`s of a listing; those of one folder, which are most, share what they have in common. */
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

/** The decoded parts of the path in a `href`, which may be a path or a whole address. */
export const segmentsOfHref = (href: string): readonly string[] =>
  href
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);

/**
 * Servers differ in what they encode, and some forget the percent sign itself; bytes that are not UTF-8 stay encoded. What has nothing to decode is decoded as well:
 * that gives a text of its own, while a part of the whole answer is read more slowly ever after and keeps all of that in memory.
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
