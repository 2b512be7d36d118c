import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import { createWholeBody } from '../body/whole-body.ts';
import type { Connection } from './http-connection.ts';
import type { HttpResponse } from './http.ts';

/** Maximum bytes of a refusal's body that are read; the connection of a longer one is closed. */
const refusalLimit = 64 * 1024;

/** Whether the body need not be streamed: refusals and redirects are short, and some responses have no body. */
export const isKept = ({ status }: HttpResponse, size: number | undefined): boolean => size === 0 || status < 200 || status > 299;

/**
 * Reads such a body at once, so that its connection is free before the caller sees the status: a caller that ignores the body, throws, or
 * sends another request first leaks nothing. Reading a body that was too long or broke off rejects with that error.
 */
export async function keepWhole(response: HttpResponse, connection: Connection): Promise<HttpResponse> {
  const whole = createWholeBody(refusalLimit);
  let failure: ConnectorError | undefined;
  const late = new ConnectorError('interrupted', `the body of a refusal did not end within ${deadlines.refusal} ms`, { retryable: true });
  const timer = setTimeout(() => connection.fail(late), deadlines.refusal);
  try {
    for await (const data of response.stream()) whole.add(data);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind === 'aborted') throw error;
    failure = error;
  } finally {
    clearTimeout(timer);
  }
  return fromMemory(response, whole.bytes(), failure);
}

const tooLong = (limit: number) => new ConnectorError('unexpected', `the answer is longer than ${limit} bytes`);

function fromMemory({ status, headers }: HttpResponse, bytes: Buffer, failure: ConnectorError | undefined): HttpResponse {
  return {
    status,
    headers,
    async *stream() {
      if (bytes.length > 0) yield bytes;
      if (failure) throw failure;
    },
    async text(limit = refusalLimit) {
      if (failure) throw failure;
      if (bytes.length > limit) throw tooLong(limit);
      return bytes.toString('utf8');
    },
    body: (entry = {}) => ({
      ...(!failure && { size: bytes.length }),
      entry,
      async drain(take) {
        if (bytes.length > 0) await take(bytes);
        if (failure) throw failure;
      },
      cancel: () => undefined,
    }),
    discard: () => Promise.resolve(),
  };
}
