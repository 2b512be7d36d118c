import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PeerCertificate, connect } from 'node:tls';
import type { HealthProblem } from '@sheaf/contract';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { type ProbeAnswer, probeBytes, probeHeader, probePath, probePause } from '#/serving/health/probe-routes.ts';

export interface Finding {
  readonly problem: HealthProblem;
  /** What exactly was seen, for the operator. */
  readonly detail?: string;
}

interface Ask {
  readonly publicUrl: string;
  readonly token: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** An address of a network for documentation (RFC 5737), which no visitor has. */
const invented = '203.0.113.77';
/** Chunks of the probe's upload, and milliseconds between them: a second altogether. */
const [chunks, gap] = [12, 90];
/** Most characters of an answer. */
const longestAnswer = 65_536;
/** Days before its expiry by which a certificate should have been renewed. */
const renewedBefore = 14;
/** Milliseconds for the handshake that shows the certificate. */
const handshakeTime = 10_000;

const Answer = Type.Object({
  address: Type.String(),
  peer: Type.String(),
  isTrusted: Type.Boolean(),
  forwarded: Type.String(),
  bytes: Type.Integer(),
  milliseconds: Type.Integer(),
});

/** OpenSSL's codes of certificates that browsers refuse too. */
const badCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;
const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return 'no reason was given';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
};

/** Probes this installation through its public address: what arrives of a visitor's requests? Returns no findings where all is well. */
export async function examineAddress(ask: Ask): Promise<Finding[]> {
  const stream = await askStream(ask);
  if ('problem' in stream) return [stream];
  const found = [
    ...visitorFindings(stream.answer, ask.publicUrl),
    ...(stream.isBuffered ? [{ problem: 'proxyBuffersAnswers' } as const] : []),
  ];
  const [upload, certificate] = await Promise.all([askUpload(ask), certificateOf(ask)]);
  return [...found, ...upload, ...certificate];
}

/** The text of an answer as it comes; rejects beyond the bound. */
async function* pieces(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let length = 0;
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    length += piece.length;
    if (length > longestAnswer) throw new Error('an answer without end');
    yield piece;
  }
}

async function askStream({ publicUrl, token, signal }: Ask): Promise<Finding | { answer: ProbeAnswer; isBuffered: boolean }> {
  try {
    const headers = { [probeHeader]: token, 'x-forwarded-for': invented };
    // oxlint-disable-next-line no-restricted-globals -- as a browser asks, and pieces counts what it reads
    const response = await fetch(publicUrl + probePath, { headers, redirect: 'manual', signal });
    if (response.status === 421) return { problem: 'proxyHost' };
    if (response.status !== 200 || response.headers.get(probeHeader) !== 'ok' || !response.body)
      return { problem: 'publicOther', detail: `HTTP status ${response.status}` };
    let [text, firstAfter] = ['', 0];
    for await (const piece of pieces(response.body)) {
      if (text === '') firstAfter = performance.now();
      text += piece;
    }
    const waited = performance.now() - firstAfter;
    const line = /^data: (.*)$/m.exec(text)?.[1] ?? '';
    const answer: ProbeAnswer = Parse(Answer, JSON.parse(line));
    // A proxy that buffers delivers both events at once.
    return { answer, isBuffered: waited < probePause / 2 };
  } catch (error) {
    const code = codeOf(error);
    return { problem: badCertificate.test(code) ? 'publicCertificate' : 'publicUnreachable', detail: code };
  }
}

/** Findings about the address that the server takes for the visitor's. */
function visitorFindings({ address, peer, isTrusted, forwarded }: ProbeAnswer, publicUrl: string): Finding[] {
  const isProxied = publicUrl.startsWith('https:') || (forwarded !== '' && forwarded !== invented);
  if (!isProxied) return [];
  if (address === invented) return [{ problem: 'proxyForged' }];
  if (forwarded === '' || forwarded === invented) return [{ problem: 'proxyAddress' }];
  return isTrusted ? [] : [{ problem: 'proxyUntrusted', detail: peer }];
}

async function askUpload({ publicUrl, token, signal }: Ask): Promise<Finding[]> {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < chunks; sent += 1) {
      if (sent > 0) await sleep(gap, undefined, { signal });
      yield new Uint8Array(probeBytes / chunks);
    }
  }
  try {
    // oxlint-disable-next-line no-restricted-globals -- as above
    const response = await fetch(publicUrl + probePath, {
      method: 'POST',
      headers: { [probeHeader]: token, 'content-type': 'application/octet-stream' },
      body: ReadableStream.from(body()),
      duplex: 'half',
      redirect: 'manual',
      signal,
    });
    if (response.status !== 200 || !response.body) return [{ problem: 'proxyBodyLimit', detail: `HTTP status ${response.status}` }];
    let text = '';
    for await (const piece of pieces(response.body)) text += piece;
    const { milliseconds } = Parse(Answer, JSON.parse(text));
    // It was sent over a second: a proxy that buffers it passes it on all at once.
    return milliseconds < ((chunks - 1) * gap) / 2 ? [{ problem: 'proxyBuffersUploads' }] : [];
  } catch (error) {
    // The small request before this one arrived, so that its size must be the reason.
    return [{ problem: 'proxyBodyLimit', detail: codeOf(error) }];
  }
}

async function certificateOf({ publicUrl, now, signal }: Ask): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return [];
  const host = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<PeerCertificate>();
  const socket = connect({ host, port: Number(port || 443), servername: isIP(host) === 0 ? host : '' }, () =>
    resolve(socket.getPeerCertificate()),
  );
  const stop = (): unknown => socket.destroy(new Error('aborted'));
  signal.addEventListener('abort', stop, { once: true });
  socket.setTimeout(handshakeTime, () => socket.destroy(new Error('no handshake')));
  socket.once('error', reject);
  try {
    const { valid_to: end } = await promise;
    const left = (Date.parse(end) / 1000 - now()) / 86_400;
    return left < renewedBefore ? [{ problem: 'certificateEnds', detail: end }] : [];
  } catch (error) {
    return [{ problem: 'publicCertificate', detail: codeOf(error) }];
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}
