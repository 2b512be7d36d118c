import { createXmlScanner } from '@sheaf/connectors';

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
}

/** Walks through a part of an office document. Throws ConnectorError `unexpected` for what is no XML, or is nested too deep. */
export function readXml(bytes: Buffer, reader: Reader): void {
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
  scanner.push(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  scanner.end();
}
