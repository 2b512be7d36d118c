import type { Readable } from 'node:stream';
import { ConnectorError } from '../../core/error.ts';
import { type BodyReader, createBodyReader } from '../body/body-reader.ts';
import type { PutOptions } from './object-store.ts';

const MiB = 1024 * 1024;

/** How bodies are split for services that accept an object in parts. */
export interface PartSizes {
  /** Largest body sent in one request, in bytes. */
  readonly single: number;
  /** Size in bytes of a part of a larger body: streamed, so that its size costs no memory. */
  readonly knownPart: number;
  /** Size in bytes of a part of a body of unknown length: each is in memory while it is sent. */
  readonly unknownPart: number;
  /** Maximum number of parts of an object. */
  readonly mostParts: number;
  /** Keeps everything in memory while it is sent, in parts like those of unknown length, because its hash must be sent first. */
  readonly inMemory?: true;
}

export const defaultPartSizes = { knownPart: 128 * MiB, unknownPart: 16 * MiB } as const;

/**
 * Parts of a body of unknown length grow, because the number of parts is limited: of ten thousand, the first 30 % have the usual size, up
 * to 68 % four times as much, the rest 16 times.
 */
const growth = [
  { from: 0.3, times: 4 },
  { from: 0.68, times: 16 },
] as const;

export interface Part {
  readonly body: Readable | Uint8Array;
  readonly size: number;
}

/** The body to send: in one request, or part by part. */
export type Cut = { readonly whole: Part } | { readonly parts: AsyncIterable<Part> };

/**
 * Decides how to send a body after reading at most one part. Rejects, or its parts do, with `sizeDiffers` when the body has another length.
 */
export async function cutBody(body: Readable, { size, signal }: PutOptions, sizes: PartSizes): Promise<Cut> {
  const isStreamed = size !== undefined && size > 0 && !sizes.inMemory;
  if (isStreamed && size <= sizes.single) return { whole: { body, size } };
  const reader = createBodyReader(body, signal);
  if (isStreamed) return { parts: knownParts(reader, size, sizes) };
  const first = await reader.take(sizes.unknownPart);
  if (size === 0 && first.byteLength > 0) throw new ConnectorError('sizeDiffers', 'an empty body has bytes');
  if (first.byteLength === sizes.unknownPart) return { parts: unknownParts(reader, first, size, sizes) };
  mustBe(first.byteLength, size);
  return { whole: { body: first, size: first.byteLength } };
}

function mustBe(came: number, size: number | undefined): void {
  if (size !== undefined && came !== size) throw new ConnectorError('sizeDiffers', `${came} of ${size} bytes came`);
}

async function* knownParts(reader: BodyReader, size: number, { knownPart, mostParts }: PartSizes): AsyncGenerator<Part> {
  const partSize = Math.max(knownPart, Math.ceil(size / mostParts));
  for (let at = 0; at < size; at += partSize) {
    const bytes = Math.min(partSize, size - at);
    yield { body: reader.stream(bytes), size: bytes };
  }
  if ((await reader.take(1)).byteLength > 0) throw new ConnectorError('sizeDiffers', `more than ${size} bytes came`);
}

async function* unknownParts(
  reader: BodyReader,
  first: Uint8Array,
  size: number | undefined,
  { unknownPart, mostParts }: PartSizes,
): AsyncGenerator<Part> {
  let number = 1;
  let came = 0;
  for (let body = first; body.byteLength > 0; number += 1) {
    yield { body, size: body.byteLength };
    came += body.byteLength;
    const times = growth.findLast(({ from }) => number >= from * mostParts)?.times ?? 1;
    body = await reader.take(unknownPart * times);
  }
  mustBe(came, size);
}
