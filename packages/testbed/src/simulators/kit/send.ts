import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Fault } from './faults.ts';
import { type Reply, statusOf } from './reply.ts';

/** Sends a response, with the fault if any. Rejects when the connection breaks. */
export async function send(response: ServerResponse, reply: Reply, headers: OutgoingHttpHeaders, fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'lost') {
    reply.stream?.destroy();
    response.destroy();
    return;
  }
  const whole = bytesOf(reply);
  const size = whole?.byteLength ?? reply.size;
  const lie = fault?.kind === 'lieAboutSize' ? fault.by : 0;
  if (size !== undefined) headers['content-length'] ??= size;
  if (size !== undefined && lie !== 0) headers['content-length'] = Math.max(0, size + lie);
  const status = statusOf(reply);
  // These have no body and must not have a Content-Length.
  if (status === 204 || status === 304 || (status < 200 && status > 0)) delete headers['content-length'];
  response.writeHead(status, headers);
  if (response.req.method === 'HEAD') {
    reply.stream?.destroy();
    response.end();
  } else if (fault && changesBody(fault)) await sendChanged(response, reply.stream ?? Readable.from(whole ? [whole] : []), size, fault);
  else if (reply.stream) await pipeline(reply.stream, response);
  else response.end(whole);
}

function bytesOf({ json, text, bytes, stream }: Reply): Uint8Array | undefined {
  if (stream) return undefined;
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return text === undefined ? (bytes ?? new Uint8Array()) : Buffer.from(text);
}

type BodyFault = Extract<Fault, { kind: 'cut' | 'hang' | 'corrupt' | 'lieAboutSize' }>;
const changesBody = (fault: Fault): fault is BodyFault => ['cut', 'hang', 'corrupt', 'lieAboutSize'].includes(fault.kind);

async function sendChanged(response: ServerResponse, body: Readable, size: number | undefined, fault: BodyFault): Promise<void> {
  const stopAt =
    fault.kind === 'cut' || fault.kind === 'hang'
      ? (fault.afterBytes ?? 0)
      : fault.kind === 'lieAboutSize' && size !== undefined
        ? Math.max(0, size + Math.min(0, fault.by))
        : Number.POSITIVE_INFINITY;
  let sent = 0;
  response.flushHeaders();
  for await (const part of body as AsyncIterable<Uint8Array>) {
    const chunk = Buffer.from(part.subarray(0, stopAt - sent));
    const at = fault.kind === 'corrupt' ? fault.at - sent : -1;
    if (at >= 0 && at < chunk.length) chunk.writeUInt8(chunk.readUInt8(at) ^ 0xff, at);
    sent += chunk.length;
    if (!response.write(chunk)) await once(response, 'drain');
    if (sent >= stopAt) break;
  }
  if (fault.kind === 'cut') {
    // Flushes, so that the data reaches the client before the connection breaks.
    await new Promise<void>((resolve) => response.write('', () => resolve()));
    response.destroy();
  } else if (fault.kind === 'hang') {
    if (!response.destroyed) await once(response, 'close');
  } else {
    if (fault.kind === 'lieAboutSize' && fault.by > 0) response.write(Buffer.alloc(fault.by, 0x2a));
    response.end();
  }
}
