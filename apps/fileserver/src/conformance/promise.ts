import { isDeepStrictEqual } from 'node:util';
import type { Client } from './client.ts';

/** What a promise is checked with. */
export interface Trial {
  readonly client: Client;
  /** An empty folder of its own. */
  readonly at: string;
  readonly url: string;
  readonly authorization: string;
}

/** A sentence of the protocol that a server keeps or breaks. */
export interface Promised {
  readonly title: string;
  /** Capabilities without which it means nothing. */
  readonly needs?: readonly string[];
  readonly run: (trial: Trial) => Promise<void>;
}

/** A promise that was not kept; the message says how. */
export class Broken extends Error {}

/** Throws Broken unless both are alike. */
export function expect(what: string, given: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(given, wanted)) throw new Broken(`${what} is ${JSON.stringify(given)} instead of ${JSON.stringify(wanted)}`);
}
