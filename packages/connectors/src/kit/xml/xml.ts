import { ConnectorError } from '../../core/error.ts';
import { createXmlScanner } from './xml-scanner.ts';

/** An element with everything in it. */
export interface XmlElement {
  /** URI of the namespace, '' for none. */
  readonly space: string;
  /** Name without prefix. */
  readonly name: string;
  /** By name as written, prefix included. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, references resolved, that of its children left out. */
  readonly text: string;
}

interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
}

/** Characters and elements in one record; a real one has some hundreds. */
const recordLimit = { text: 1024 * 1024, elements: 10_000 };

/**
 * Reads a document as it arrives and gives the elements of the wanted names (without prefix), in batches, each as soon as it is whole; wanted elements within wanted
 * ones are not given by themselves. Memory is bound by one record, not by the document. Rejects with `unexpected` for what is not XML or is too big,
 * with `interrupted` when the document stops early.
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

/** The first child of that name, in whatever namespace unless one is named. */
export const childOf = (element: XmlElement, name: string, space?: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name && (space === undefined || child.space === space));

/** The text of the first child of that name. */
export const childText = (element: XmlElement, name: string, space?: string): string | undefined => childOf(element, name, space)?.text;

/** Makes elements of what a scanner tells: those of the wanted names, each once it is whole. */
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

/** By byte order mark or by what the XML declaration says; UTF-8 without either (XML 1.0, appendix F). */
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

/** Gives the text of a document's pieces; called without one at its end. Throws `unexpected` for what is not in the encoding that the document says. */
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
