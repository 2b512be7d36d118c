import { ConnectorError, createXmlScanner, escapeXml } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';

/** An element of a small document, with all that {@link writeXml} needs. */
export interface XmlNode {
  readonly space: string;
  readonly name: string;
  readonly attributes: readonly { readonly space: string; readonly name: string; readonly value: string }[];
  readonly content: readonly (XmlNode | string)[];
}

interface Growing extends XmlNode {
  readonly content: (Growing | string)[];
}

const usualElements = 5000;
const xmlSpace = 'http://www.w3.org/XML/1998/namespace';
/** Names without a prefix: Namespaces in XML 1.0, section 4. */
const plainName = /^[\p{L}_][\p{L}\p{N}\p{M}._\u00B7-]*$/u;
/** What is no character of XML 1.0: section 2.2. */
const noCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Parses a document of a request. Throws MALFORMED_REQUEST for one that is not well-formed, has a document type or is too large: what is stored of it is
 * written into answers to others.
 */
export function parseXml(text: string, mostElements = usualElements): XmlNode {
  const open: Growing[] = [];
  let root: Growing | undefined;
  let elements = 0;
  try {
    if (noCharacter.test(text)) throw notWellFormed('has characters that XML does not allow');
    const scanner = createXmlScanner({
      open({ space, name }, written, spaceOf) {
        if (++elements > mostElements) throw notWellFormed('has too many elements');
        if (!plainName.test(name)) throw notWellFormed('has an element without a proper name');
        const element: Growing = { space, name, attributes: attributesOf(written, spaceOf), content: [] };
        open.at(-1)?.content.push(element);
        root ??= element;
        open.push(element);
      },
      text: (text) => void open.at(-1)?.content.push(text),
      close: () => void open.pop(),
    });
    scanner.push(text);
    scanner.end();
  } catch (error) {
    if (error instanceof ConnectorError) throw appError('MALFORMED_REQUEST', {}, error);
    throw error;
  }
  if (!root) throw appError('MALFORMED_REQUEST', {});
  return root;
}

const notWellFormed = (message: string): ConnectorError => new ConnectorError('unexpected', `the XML ${message}`);

/** The attributes that declare no namespaces. */
function attributesOf(written: Readonly<Record<string, string>>, spaceOf: (prefix: string) => string | undefined): XmlNode['attributes'] {
  return Object.entries(written).flatMap(([whole, value]) => {
    if (whole === 'xmlns') return [];
    const [prefix, name, ...more] = whole.includes(':') ? whole.split(':') : ['', whole];
    if (name === undefined || more.length > 0 || !plainName.test(name)) throw notWellFormed('has an attribute without a proper name');
    // Namespaces in XML 1.0, section 2.2: a prefix cannot be undeclared.
    if (prefix === 'xmlns' && value === '') throw notWellFormed('declares a prefix without a namespace');
    if (prefix === 'xmlns') return [];
    const space = prefix === '' ? '' : spaceOf(prefix ?? '');
    if (space === undefined) throw notWellFormed('has an undeclared prefix');
    return [{ space, name, value }];
  });
}

/** Writes an element so that it can stand in any document. */
export function writeXml({ space, name, attributes, content }: XmlNode): string {
  const written = attributes.map((one, index) => {
    const value = escapeXml(one.value);
    if (one.space === '') return ` ${one.name}="${value}"`;
    if (one.space === xmlSpace) return ` xml:${one.name}="${value}"`;
    return ` xmlns:a${index}="${escapeXml(one.space)}" a${index}:${one.name}="${value}"`;
  });
  const start = `${name} xmlns="${escapeXml(space)}"${written.join('')}`;
  return content.length === 0 ? `<${start}/>` : `<${start}>${writeContent(content)}</${name}>`;
}

export const writeContent = (content: XmlNode['content']): string =>
  content.map((one) => (typeof one === 'string' ? escapeXml(one) : writeXml(one))).join('');

/** The elements in an element, without the text between them. */
export const elementsOf = ({ content }: XmlNode): readonly XmlNode[] => content.filter((one) => typeof one !== 'string');

export const isDav = ({ space, name }: XmlNode, wanted: string): boolean => space === 'DAV:' && name === wanted;

/** The first of the element's own elements with that name of WebDAV. */
export const davChild = (node: XmlNode, name: string): XmlNode | undefined => elementsOf(node).find((child) => isDav(child, name));
