import { escapeXml } from '@sheaf/connectors';
import { type XmlNode, elementsOf, parseXml } from '#/serving/dav/xml-tree.ts';
import type { S3Error } from './errors.ts';

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
const space = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Text that XML cannot carry becomes U+FFFD; clients that expect such keys ask for `encoding-type=url`. */
const plainText = (text: string): string => (/^[\w ./:+-]*$/.test(text) ? text : cleaned(text));
const cleaned = (text: string): string => escapeXml(text.toWellFormed().replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'));

/** An element with a text, or with elements that are written already; nothing for an undefined text. */
export const element = (name: string, content: string | number | boolean | undefined): string =>
  content === undefined ? '' : `<${name}>${plainText(String(content))}</${name}>`;
export const group = (name: string, ...content: readonly string[]): string => `<${name}>${content.join('')}</${name}>`;

/** A document in the namespace of S3. */
export const documentOf = (name: string, ...content: readonly string[]): string =>
  `${xmlHead}<${name} xmlns="${space}">${content.join('')}</${name}>`;

/** The error's element; its document has no namespace. */
export const errorElement = ({ code, sentence }: S3Error, resource: string, requestId: string): string =>
  group('Error', element('Code', code), element('Message', sentence), element('Resource', resource), element('RequestId', requestId));

export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The text in the first element of that name. */
export function textIn(node: XmlNode, name: string): string | undefined {
  const found = elementsOf(node).find((one) => one.name === name);
  return found?.content.filter((one) => typeof one === 'string').join('');
}
export const named = (node: XmlNode, name: string): readonly XmlNode[] => elementsOf(node).filter((one) => one.name === name);
export { parseXml };
