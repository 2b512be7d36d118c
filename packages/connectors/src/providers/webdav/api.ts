import type { Entry } from '../../core/connector.ts';
import { httpDate } from '../../kit/http-date.ts';
import type { RecordReader } from '../../kit/xml-records.ts';
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

interface Facts {
  size?: number;
  modified?: number;
  etag?: string;
  mimeType?: string;
}

/** Reads one `response`; undefined when the server says that the resource is not there, or names none. */
export function toResource(element: XmlElement): Resource | undefined {
  if (element.space !== dav) return undefined;
  const href = hrefOf(element);
  if (href === undefined || element.children.some((child) => isStatus(child) && (statusOf(child.text) ?? 200) >= 400)) return undefined;
  const facts: Facts = {};
  for (const prop of foundProps(element)) if (prop.space === dav) readFact(facts, prop.name, prop.text);
  return resourceOf(segmentsOfHref(href.text), isFolder(element), facts);
}

/** How the responses of one answer are read. A server writes those of files alike, and those of folders. */
export function createResourceReader(): RecordReader<Resource | undefined> {
  const segmentsOf = createHrefReader();
  return {
    name: 'response',
    read: toResource,
    like(element, leaves) {
      if (!toResource(element)) return undefined;
      const href = hrefOf(element);
      const props = [...foundProps(element)];
      const folder = isFolder(element);
      const varying = leaves.filter((leaf) => leaf === href || props.includes(leaf));
      // Properties that other namespaces have are passed over, as `toResource` does it.
      const names = varying.map((leaf) => (leaf === href ? 'href' : leaf.space === dav ? leaf.name : ''));
      return {
        varies: leaves.map((leaf) => varying.includes(leaf)),
        read(texts) {
          const facts: Facts = {};
          let segments: readonly string[] = [];
          for (let at = 0; at < names.length; at++) {
            const name = names[at] ?? '';
            const text = texts[at] ?? '';
            if (name === 'href') segments = segmentsOf(text);
            else readFact(facts, name, text);
          }
          return resourceOf(segments, folder, facts);
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

function resourceOf(segments: readonly string[], folder: boolean, facts: Facts): Resource {
  const name = segments.at(-1) ?? '';
  if (!folder) return { segments, entry: { name, kind: 'file', ...facts } };
  const { size: _size, mimeType: _mimeType, ...ofFolder } = facts;
  return { segments, entry: { name, kind: 'folder', ...ofFolder } };
}

/** RFC 4918, section 9.1: properties that a resource lacks come under a status of their own. */
const isFound = (propstat: XmlElement): boolean => (statusOf(childText(propstat, 'status', dav)) ?? 200) === 200;

/** RFC 4918, section 15. */
function readFact(facts: Facts, name: string, text: string): void {
  const value = text.trim();
  if (value === '') return;
  if (name === 'getcontentlength') {
    if (/^\d{1,15}$/.test(value)) facts.size = Number(value);
  } else if (name === 'getlastmodified') {
    const modified = httpDate(value);
    if (modified !== undefined) facts.modified = modified;
  } else if (name === 'getetag') facts.etag = value;
  else if (name === 'getcontenttype') facts.mimeType = value;
}

/** Reads the `href`s of a listing; those of one folder, which are most, share what they have in common. */
function createHrefReader(): (href: string) => readonly string[] {
  let known: { readonly text: string; readonly segments: readonly string[] } | undefined;
  return (href) => {
    const cut = href.lastIndexOf('/', href.length - 2) + 1;
    const last = href.endsWith('/') ? href.slice(cut, -1) : href.slice(cut);
    const isPlain = last !== '' && last.trim() === last && last !== '/';
    if (known && isPlain && cut === known.text.length && href.startsWith(known.text)) return [...known.segments, decodeSegment(last)];
    const segments = segmentsOfHref(href);
    const name = segments.at(-1);
    if (isPlain && cut > 0 && name === decodeSegment(last)) known = { text: href.slice(0, cut), segments: segments.slice(0, -1) };
    return segments;
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
