import { setImmediate } from 'node:timers/promises';
import { createXmlScanner } from '@sheaf/connectors';
import type { Room } from './office-room.ts';

/** An element that has just begun or ended, by its name without prefix. */
export interface Step {
  readonly name: string;
  /** By their names as written. */
  readonly attributes: Readonly<Record<string, string>>;
}
export interface Reader {
  open?(step: Step): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether the rest is of no use. */
  isDone?(): boolean;
}

/** A part of a document as it is unpacked; a document without it has none. */
export type Part = AsyncIterable<Uint8Array> | undefined;

/**
 * Walks through a part of an office document, as far as there is room, and lets others have their turn after every piece. Throws ConnectorError
 * `unexpected` for what is no XML, or is nested too deep.
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
