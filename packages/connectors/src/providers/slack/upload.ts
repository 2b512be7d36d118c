import type { Readable } from 'node:stream';
import type { WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { createBodyReader } from '../../kit/body/body-reader.ts';
import { pause, retrying, waitAfter } from '../../kit/concurrency/backoff.ts';
import { CompletedUpload, FileAnswer, Nothing, type SlackFile, UploadPlace, placesOf } from './api.ts';
import type { SlackClient } from './client.ts';

const MiB = 1024 * 1024;
/** Slack needs the length in advance: a body of unknown length is held in memory up to this many bytes. */
const mostHeld = 64 * MiB;
/** Slack says how long to wait; a longer Retry-After in ms ends the retries. */
const tries = { attempts: 3, first: 0, longest: deadlines.settle } as const;
/** Polling interval in ms until a file appears in its conversation: first, longest, and total. */
const settle = { first: 100, most: 1500, inAll: deadlines.settle } as const;

interface Destination {
  readonly name: string;
  /** Conversation in which the file is shared; absent: not shared. */
  readonly channel?: string;
}

/**
 * Uploads a file: https://docs.slack.dev/messaging/working-with-files#upload. It becomes visible only when it is complete. Returns Slack's
 * metadata once the file has appeared in its conversation.
 */
export function createUpload(client: SlackClient, held: number = mostHeld) {
  /** Callers do not retry a write, whose body is consumed: short rate-limit waits happen here. */
  const call: SlackClient['call'] = (schema, request) =>
    retrying(request.signal, { ...tries, mayRetry: (error) => isKind(error, 'rateLimited') && error.retryAfter !== undefined }, () =>
      client.call(schema, request),
    );

  async function measured(
    body: Readable,
    { size, signal }: WriteOptions,
  ): Promise<{ readonly bytes: Readable | Uint8Array; readonly size: number }> {
    if (size !== undefined && size > 0) return { bytes: body, size };
    const bytes = await createBodyReader(body, signal).take(held + 1);
    if (size === 0 && bytes.byteLength > 0) throw new ConnectorError('sizeDiffers', 'an empty body has bytes');
    if (bytes.byteLength > held) throw new ConnectorError('unsupported', 'Slack must know the length of a file this large');
    return { bytes, size: bytes.byteLength };
  }

  /** Slack scans a file before it appears: https://github.com/slackapi/python-slack-sdk/issues/1329 */
  async function arrived(id: string, channel: string | undefined, signal: AbortSignal): Promise<SlackFile> {
    const until = Date.now() + settle.inAll;
    for (let attempt = 1; ; attempt++) {
      const wait = waitAfter(attempt, settle);
      const file = await infoOf(id, signal);
      const isShared = file !== undefined && (channel === undefined || placesOf(file).includes(channel));
      if (isShared) return file;
      if (Date.now() + wait > until) return file ?? { id };
      await pause(wait, signal);
    }
  }

  async function infoOf(id: string, signal: AbortSignal): Promise<SlackFile | undefined> {
    try {
      return (await call(FileAnswer, { name: 'files.info', query: { file: id }, signal })).file;
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  }

  /** Deletes the file, which may exist although the response was lost or the caller cancelled. */
  async function discard(id: string): Promise<void> {
    try {
      await client.call(Nothing, { name: 'files.delete', form: { file: id }, signal: AbortSignal.timeout(deadlines.aside) });
    } catch (error) {
      // The file does not exist or Slack is unreachable: the reason why the upload failed is reported instead.
      if (!(error instanceof ConnectorError)) throw error;
    }
  }

  return async (
    body: Readable,
    { name, channel }: Destination,
    ask: WriteOptions,
  ): Promise<{ readonly file: SlackFile; readonly size: number }> => {
    const { signal } = ask;
    const { bytes, size } = await measured(body, ask);
    if (size === 0) throw new ConnectorError('unsupported', 'Slack takes no empty files');
    const place = await call(UploadPlace, { name: 'files.getUploadURLExternal', form: { filename: name, length: size }, signal });
    const sent = await client.send({
      method: 'POST',
      url: client.own(place.upload_url),
      headers: { 'content-type': 'application/octet-stream', accept: '*/*' },
      authorized: false,
      body: bytes,
      size,
      signal,
    });
    const [, stored] = /^OK - (\d+)/.exec(await sent.text()) ?? [];
    if (stored !== undefined && Number(stored) !== size) throw new ConnectorError('damaged', `Slack has ${stored} of ${size} bytes`);
    try {
      const files = JSON.stringify([{ id: place.file_id, title: name }]);
      const form = { files, ...(channel !== undefined && { channel_id: channel }) };
      await call(CompletedUpload, { name: 'files.completeUploadExternal', form, signal });
      const file = await arrived(place.file_id, channel, signal).catch((error: unknown): SlackFile => {
        // The file exists: a failed status request does not change that.
        if (signal.aborted || !(error instanceof ConnectorError)) throw error;
        return { id: place.file_id };
      });
      return { file, size };
    } catch (error) {
      await discard(place.file_id);
      throw error;
    }
  };
}
