import { setImmediate } from 'node:timers/promises';
import { createXmlScanner } from '@sheaf/connectors';
import type { Room } from './office-room.ts';

/** An element's start or end, by its name without prefix. */
export interface Step {
  readonly name: string;
  /** Keyed by their names as written. */
  readonly attributes: Readonly<Record<string, string>>;
}
export interface Reader {
  open?(step: Step): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether to stop reading. */
  isDone?(): boolean;
}

/** A part of a document, unpacked in pieces; undefined when the document lacks it. */
export type Part = AsyncIterable<Uint8Array> | undefined;

/**
 * Parses a part of an office document as far as the budget allows, yielding to others after every piece. Throws ConnectorError `unexpected` for
 * invalid or too deeply nested XML.
 */
export async function readXml(part: Part, room: Room, reader: Reader): Promise<void> {
  if (!part) return;
  const names: string[] = [];
  const scanner = createXmlScanner({
    open({ name }, attributes) {
      names.push(name);
      reader.open?.({ name, attributes });
    },
    text: (text) => reader.text?.(text),
    close() {
      reader.close?.(names.pop() ?? '');
    },
  });
  const decoder = new TextDecoder();
  for await (const piece of part) {
    if (!room.reads(piece.byteLength)) return;
    scanner.push(decoder.decode(piece, { stream: true }));
    if (room.isFull() || reader.isDone?.()) return;
    await setImmediate();
  }
  scanner.push(decoder.decode());
  scanner.end();
}
