import { ConnectorError } from '../../core/error.ts';
import { decodeXmlText } from './xml-text.ts';

/** The name of an element, resolved: the URI of its namespace ('' for none) and the name without prefix. */
export interface XmlName {
  readonly space: string;
  readonly name: string;
}

/** A parsed start tag. */
export interface XmlTag {
  /** The name as written, which the end tag must repeat. */
  readonly written: string;
  readonly name: XmlName;
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether the element is empty. */
  readonly empty: boolean;
  /** Namespaces in scope within the element. */
  readonly scope: XmlScope;
}

/** Prefixes in scope within an element. */
export interface XmlScope {
  /** Returns the cached start tag with the same text, if any. */
  known(text: string): XmlTag | undefined;
  /** Parses a start tag, given without its angle brackets. Throws ConnectorError `unexpected`. */
  read(text: string): XmlTag;
  /** Returns the namespace of a prefix ('' for the default one); undefined for an undeclared prefix. */
  spaceOf(prefix: string): string | undefined;
}

const xmlSpace = 'http://www.w3.org/XML/1998/namespace';
/** Limits of the cache: documents repeat a few tags literally, and hostile ones must not fill the memory. */
const keep = { tags: 64, length: 300 };

/** Each scope holds only its own declarations: copying the outer ones for every element would take quadratic time. */
function createScope(declared: ReadonlyMap<string, string>, outer?: XmlScope): XmlScope {
  const tags = new Map<string, XmlTag>();
  const spaceOf = (prefix: string): string | undefined => declared.get(prefix) ?? outer?.spaceOf(prefix);

  function resolve(written: string): XmlName {
    const colon = written.indexOf(':');
    const space = spaceOf(colon === -1 ? '' : written.slice(0, colon));
    if (space === undefined) throw new ConnectorError('unexpected', 'the XML has an undeclared prefix');
    return { space, name: written.slice(colon + 1) };
  }

  function read(text: string): XmlTag {
    const empty = text.endsWith('/');
    const body = empty ? text.slice(0, -1) : text;
    const gap = body.search(/\s/);
    const written = gap === -1 ? body : body.slice(0, gap);
    if (written === '') throw new ConnectorError('unexpected', 'the XML has a tag without a name');
    const attributes = attributesOf(gap === -1 ? '' : body.slice(gap));
    const inner = declare(scope, attributes);
    return { written, attributes, empty, scope: inner ?? scope, name: inner ? inner.read(written).name : resolve(written) };
  }

  const scope: XmlScope = {
    known: (text) => tags.get(text),
    read(text) {
      const tag = read(text);
      if (tags.size < keep.tags && text.length <= keep.length) tags.set(text, tag);
      return tag;
    },
    spaceOf,
  };
  return scope;
}

/** Returns the scope within an element that declares prefixes or a default namespace; undefined when it declares none. */
function declare(outer: XmlScope, attributes: Readonly<Record<string, string>>): XmlScope | undefined {
  const declared = Object.entries(attributes)
    .filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
    .map(([name, uri]) => [name.slice(6), uri] as const);
  return declared.length === 0 ? undefined : createScope(new Map(declared), outer);
}

/** Creates the scope of a whole document: Namespaces in XML 1.0, section 3. */
export const createRootScope = (): XmlScope =>
  createScope(
    new Map([
      ['', ''],
      ['xml', xmlSpace],
    ]),
  );

const attribute = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gy;
const none: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Parses the attributes of a start tag, with their prefixes; `text` is what follows the element's name. Throws ConnectorError `unexpected`.
 */
export function attributesOf(text: string): Readonly<Record<string, string>> {
  if (text.trim() === '') return none;
  const found: [string, string][] = [];
  attribute.lastIndex = 0;
  let end = 0;
  for (let match = attribute.exec(text); match; match = attribute.exec(text)) {
    found.push([match[1] ?? '', decodeXmlText(match[2] ?? match[3] ?? '')]);
    end = attribute.lastIndex;
  }
  if (text.slice(end).trim() !== '') throw new ConnectorError('unexpected', 'the XML has a malformed tag');
  return Object.fromEntries(found);
}
