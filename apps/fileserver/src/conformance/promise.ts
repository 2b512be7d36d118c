import { isDeepStrictEqual } from 'node:util';
import type { Client } from './client.ts';

/** Tools for checking a promise. */
export interface Trial {
  readonly client: Client;
  /** An empty folder for this promise. */
  readonly at: string;
  readonly url: string;
  readonly authorization: string;
}

/** A sentence of the protocol that a server keeps or breaks. */
export interface Promised {
  readonly title: string;
  /** Capabilities that it requires. */
  readonly needs?: readonly string[];
  readonly run: (trial: Trial) => Promise<void>;
}

/** A broken promise; the message says how. */
export class Broken extends Error {}

/** Throws Broken unless both are equal. */
export function expect(what: string, given: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(given, wanted)) throw new Broken(`${what} is ${JSON.stringify(given)} instead of ${JSON.stringify(wanted)}`);
}
