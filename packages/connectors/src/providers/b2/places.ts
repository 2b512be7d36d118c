import { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import { type ConnectorError, isKind } from '../../core/error.ts';
import { pause } from '../../kit/concurrency/backoff.ts';
import { uploadWait } from '../../kit/concurrency/retry-busy.ts';
import { parseJson } from '../../kit/rest/json.ts';
import type { UploadPlace } from './api.ts';
import type { B2Client } from './client.ts';
import { readRefusal, uploadMeaning } from './errors.ts';

/** Pool of upload URLs. Each serves one upload at a time; B2 revokes it when the machine behind it is full or gone. */
export interface UploadPlaces {
  /** Sends one body. A refused or failed upload URL is replaced as long as the body can be sent again. */
  send<S extends TSchema>(schema: S, request: Sending): Promise<Static<S>>;
}

interface Sending {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | Uint8Array;
  readonly size: number;
  readonly signal: AbortSignal;
}

/** Upload URLs tried per body: https://www.backblaze.com/docs/cloud-storage-upload-files-with-the-native-api asks for at least five. */
const attempts = 5;
/** Default wait in ms when the service asks to retry later without a delay, and the longest accepted wait. */
const waits = { usual: 1000, longest: uploadWait } as const;
/** Idle upload URLs kept for reuse. */
const mostIdle = 8;

export function createUploadPlaces(client: B2Client, ask: (signal: AbortSignal) => Promise<UploadPlace>): UploadPlaces {
  const idle: UploadPlace[] = [];

  async function attempt<S extends TSchema>(schema: S, place: UploadPlace, request: Sending): Promise<Static<S>> {
    const response = await client.upload(place, request);
    if (response.status !== 200) throw new Refused(await readRefusal(response, uploadMeaning));
    const answer = parseJson(schema, await response.text());
    if (idle.length < mostIdle) idle.push(place);
    return answer;
  }

  return {
    async send(schema, request) {
      for (let left = attempts - 1; ; left -= 1) {
        try {
          const place = idle.pop() ?? (await ask(request.signal));
          return await attempt(schema, place, request);
        } catch (failure) {
          const { error, mayHelp } = judged(failure);
          if (left === 0 || !mayHelp || isSpent(request.body)) throw error;
          if (isKind(error, 'rateLimited')) await pause(Math.min(error.retryAfter ?? waits.usual, waits.longest), request.signal);
        }
      }
    },
  };
}

/** Carries a refusal from one attempt to the next. */
class Refused extends Error {
  readonly error: ConnectorError;
  readonly isStale: boolean;
  constructor({ error, isStale }: { readonly error: ConnectorError; readonly isStale: boolean }) {
    super(error.message);
    this.error = error;
    this.isStale = isStale;
  }
}

/** Another upload URL may help unless the upload itself is at fault. */
function judged(failure: unknown): { readonly error: unknown; readonly mayHelp: boolean } {
  if (failure instanceof Refused) return { error: failure.error, mayHelp: failure.isStale || failure.error.retryable };
  return { error: failure, mayHelp: isKind(failure, 'interrupted', 'rateLimited', 'timeout', 'unreachable') };
}

const isSpent = (body: Sending['body']): boolean => body instanceof Readable && (body.readableDidRead || body.destroyed);
