import { ConnectorError } from '../../core/error.ts';
import { createXmlScanner } from './xml-scanner.ts';

/** An element with its content. */
export interface XmlElement {
  /** URI of the namespace, '' for none. */
  readonly space: string;
  /** Name without prefix. */
  readonly name: string;
  /** Keyed by qualified name, as written. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The element's own text with references resolved, without that of its children. */
  readonly text: string;
}

interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
}

/** Maximum characters and elements of one record; a real one has some hundreds. */
const recordLimit = { text: 1024 * 1024, elements: 10_000 };

/**
 * Parses a document as it arrives and yields the elements with the given local names, in batches, each as soon as it is complete; such
 * elements nested in another are not yielded separately. Memory is bounded by one record, not by the document. Rejects with `unexpected`
 * for invalid or oversized XML, and with `interrupted` when the document stops early.
 */
export async function* scanXml(chunks: AsyncIterable<Uint8Array>, wanted: readonly string[]): AsyncGenerator<readonly XmlElement[]> {
  const collector = createXmlCollector(new Set(wanted));
  const scanner = createXmlScanner(collector);
  const decode = createXmlDecoder();
  for await (const chunk of chunks) {
    scanner.push(decode(chunk));
    const batch = collector.take();
    if (batch.length > 0) yield batch;
  }
  scanner.push(decode());
  scanner.end();
  const batch = collector.take();
  if (batch.length > 0) yield batch;
}

/** Returns the first child with that name, in any namespace unless one is given. */
export const childOf = (element: XmlElement, name: string, space?: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name && (space === undefined || child.space === space));

/** Returns the text of the first child with that name. */
export const childText = (element: XmlElement, name: string, space?: string): string | undefined => childOf(element, name, space)?.text;

/** Builds elements from a scanner's events: those with the given names, each when complete. */
export function createXmlCollector(wanted: ReadonlySet<string>) {
  const path: Growing[] = [];
  let done: XmlElement[] = [];
  let text = 0;
  let elements = 0;
  return {
    open({ space, name }: { readonly space: string; readonly name: string }, attributes: Readonly<Record<string, string>>) {
      const parent = path.at(-1);
      if (!parent) [text, elements] = [0, 0];
      if (!parent && !wanted.has(name)) return;
      elements += 1;
      if (elements > recordLimit.elements) throw new ConnectorError('unexpected', 'the XML has a record of too many elements');
      const element: Growing = { space, name, attributes, children: [], text: '' };
      parent?.children.push(element);
      path.push(element);
    },
    text(piece: string) {
      const element = path.at(-1);
      if (!element) return;
      text += piece.length;
      if (text > recordLimit.text) throw new ConnectorError('unexpected', 'the XML has a record that is too long');
      element.text += piece;
    },
    close() {
      const element = path.pop();
      if (!element) return;
      if (path.length === 0) done.push(element);
    },
    take(): readonly XmlElement[] {
      const batch = done;
      done = [];
      return batch;
    },
  };
}

/** Creates a decoder by byte order mark or XML declaration; UTF-8 without either (XML 1.0, appendix F). */
function decoderFor(start: Uint8Array): TextDecoder {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  const declaration = Buffer.from(start.subarray(0, 200)).toString('latin1');
  const label = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(declaration)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (cause) {
    throw new ConnectorError('unexpected', 'the XML has an unknown encoding', { cause });
  }
}

/**
 * Returns a decoder of a document's pieces; call it without a piece at the end. Throws `unexpected` for bytes that are invalid in the
 * declared encoding.
 */
export function createXmlDecoder(): (chunk?: Uint8Array) => string {
  let decoder: TextDecoder | undefined;
  return (chunk) => {
    decoder ??= chunk ? decoderFor(chunk) : new TextDecoder();
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new ConnectorError('unexpected', 'the XML is not in the encoding it says', { cause });
    }
  };
}
