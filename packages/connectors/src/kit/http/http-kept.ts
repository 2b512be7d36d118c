import { ConnectorError } from '../../core/error.ts';
import { createWholeBody } from '../body/whole-body.ts';
import type { Connection } from './http-connection.ts';
import type { HttpResponse } from './http.ts';

/** Bytes of a refusal that are read; what is longer costs its connection. */
const refusalLimit = 64 * 1024;
/** ms for the whole body of a refusal. A server that takes longer loses its connection. */
const refusalPatience = 5_000;

/** Whether nobody has to read the body as it comes: refusals and redirects explain themselves in a few bytes, and some answers have no body at all. */
export const isKept = ({ status }: HttpResponse, size: number | undefined): boolean => size === 0 || status < 200 || status > 299;

/**
 * Reads the body of such an answer at once, so that its connection is free before the caller sees the status: a caller that forgets the body, throws, or asks
 * something else first leaves nothing behind. Whoever reads a body that was too long or broke off is told so then.
 */
export async function keepWhole(response: HttpResponse, connection: Connection): Promise<HttpResponse> {
  const whole = createWholeBody(refusalLimit);
  let failure: ConnectorError | undefined;
  const late = new ConnectorError('interrupted', `the body of a refusal did not end within ${refusalPatience} ms`, { retryable: true });
  const timer = setTimeout(() => connection.fail(late), refusalPatience);
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
