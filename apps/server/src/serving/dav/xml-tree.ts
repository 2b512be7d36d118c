import { ConnectorError, createXmlScanner, escapeXml } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';

/** An element of a small document, with everything that is needed to write it again. */
export interface XmlNode {
  readonly space: string;
  readonly name: string;
  readonly attributes: readonly { readonly space: string; readonly name: string; readonly value: string }[];
  readonly content: readonly (XmlNode | string)[];
}

interface Growing extends XmlNode {
  readonly content: (Growing | string)[];
  readonly prefixes: Readonly<Record<string, string>>;
}

const usualElements = 5000;
const xmlSpace = 'http://www.w3.org/XML/1998/namespace';

/** Parses a document of a request. Throws MALFORMED_REQUEST for one that is not well-formed, has a document type or is too large. */
export function parseXml(text: string, mostElements = usualElements): XmlNode {
  const open: Growing[] = [];
  let root: Growing | undefined;
  let elements = 0;
  try {
    const scanner = createXmlScanner({
      open({ space, name }, written) {
        if (++elements > mostElements) throw new ConnectorError('unexpected', 'the XML has too many elements');
        const parent = open.at(-1);
        const prefixes = declared(parent?.prefixes ?? { xml: xmlSpace }, written);
        const element: Growing = { space, name, attributes: attributesOf(written, prefixes), content: [], prefixes };
        parent?.content.push(element);
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

function declared(outer: Readonly<Record<string, string>>, written: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = Object.entries(written).filter(([name]) => name.startsWith('xmlns:'));
  // Namespaces in XML 1.0, section 2.2: a prefix cannot be undeclared.
  if (own.some(([, uri]) => uri === '')) throw new ConnectorError('unexpected', 'the XML declares a prefix without a namespace');
  return own.length === 0 ? outer : { ...outer, ...Object.fromEntries(own.map(([name, uri]) => [name.slice(6), uri])) };
}

function attributesOf(written: Readonly<Record<string, string>>, prefixes: Readonly<Record<string, string>>): XmlNode['attributes'] {
  return Object.entries(written)
    .filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))
    .map(([name, value]) => {
      const colon = name.indexOf(':');
      if (colon < 0) return { space: '', name, value };
      const space = prefixes[name.slice(0, colon)];
      if (space === undefined) throw new ConnectorError('unexpected', 'the XML has an undeclared prefix');
      return { space, name: name.slice(colon + 1), value };
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
