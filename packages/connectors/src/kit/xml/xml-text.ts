import { ConnectorError } from '../../core/error.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const reference = /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,4}));|&/g;

/**
 * Resolves character references and XML's five predefined entities (XML 1.0, sections 4.1 and 4.6). Throws ConnectorError `unexpected` for
 * any other reference.
 */
export function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : undefined;
    const found = code !== undefined ? characterOf(code) : name !== undefined ? named[name] : undefined;
    if (found === undefined) throw new ConnectorError('unexpected', `the XML has an unknown reference: ${whole}`);
    return found;
  });
}

/** Returns a character if XML allows it: section 2.2. */
const characterOf = (code: number): string | undefined => {
  const allowed =
    code >= 0x20 ? code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff : [9, 10, 13].includes(code);
  return allowed ? String.fromCodePoint(code) : undefined;
};

/** Escapes text for an element or a double-quoted attribute. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) =>
    character === '&' ? '&amp;' : character === '<' ? '&lt;' : character === '>' ? '&gt;' : '&quot;',
  );
