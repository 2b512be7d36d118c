import { createHash, createHmac } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Sent {
  readonly method?: string;
  /** Below /s3, already encoded. */
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The payload value in the signature; the body's hash unless given. */
  readonly payload?: string;
  /** Milliseconds by which the client's clock is wrong. */
  readonly skew?: number;
}

interface Unsigned extends Pick<Sent, 'path'> {
  readonly chunks: readonly string[];
  readonly trailers: Readonly<Record<string, string>>;
  /** Names of the trailers; those that are sent unless given. */
  readonly announced?: readonly string[];
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const sha = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Uint8Array, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** A small client of S3 that signs as AWS documents it, and can also do it wrong. */
export function s3Client(url: string, { accessKeyId, secretAccessKey }: Keys) {
  const { host, hostname, port } = new URL(url);
  const scopeOf = (time: string): string => `${time.slice(0, 8)}/eu-central-1/s3/aws4_request`;
  const keyOf = (scope: string): Buffer =>
    scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretAccessKey}`));
  const timeOf = (skew = 0): string => new Date(Date.now() + skew).toISOString().replace(/[-:]|\.\d+/g, '');
  const queryOf = (query: string): string =>
    [...new URLSearchParams(query)]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&');

  function signatureOf(
    method: string,
    path: string,
    query: string,
    headers: Readonly<Record<string, string>>,
    payload: string,
    time: string,
  ) {
    const names = Object.keys(headers).sort();
    const canonical = [method, path, query, ...names.map((name) => `${name}:${headers[name]}`), '', names.join(';'), payload].join('\n');
    const scope = scopeOf(time);
    const signature = hmac(keyOf(scope), ['AWS4-HMAC-SHA256', time, scope, sha(canonical)].join('\n')).toString('hex');
    return { names: names.join(';'), scope, signature };
  }

  async function exchange(sent: Sent & { readonly full: string; readonly all: Readonly<Record<string, string>> }): Promise<Got> {
    return new Promise((resolve, reject) => {
      const client = request({ hostname, port, path: sent.full, method: sent.method ?? 'GET', headers: sent.all }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') }),
        );
        answer.on('error', reject);
      });
      client.on('error', reject);
      client.end(sent.body);
    });
  }

  async function ask(sent: Sent): Promise<Got> {
    const { method = 'GET', path, query = '', headers = {}, body = '', payload = sha(body), skew } = sent;
    const time = timeOf(skew);
    const signed = { host, 'x-amz-date': time, 'x-amz-content-sha256': payload, ...headers };
    const { names, scope, signature } = signatureOf(method, `/s3${path}`, queryOf(query), signed, payload, time);
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    const length = method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return exchange({ ...sent, full: `/s3${path}${query === '' ? '' : `?${query}`}`, all: { ...signed, ...length, authorization } });
  }

  /** Sends a body whose chunks are signed, and checksums after it. `wrong` changes a chunk after it was signed. */
  async function askInChunks(
    sent: Sent & { readonly chunks: readonly string[]; readonly trailers?: Readonly<Record<string, string>>; readonly wrong?: boolean },
  ) {
    const { method = 'PUT', path, headers = {}, chunks, trailers, wrong = false } = sent;
    const payload = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailers ? '-TRAILER' : ''}`;
    const time = timeOf();
    const whole = chunks.join('');
    const signed = {
      host,
      'x-amz-date': time,
      'x-amz-content-sha256': payload,
      'x-amz-decoded-content-length': String(Buffer.byteLength(whole)),
      'content-encoding': 'aws-chunked',
      ...(trailers && { 'x-amz-trailer': Object.keys(trailers).join(',') }),
      ...headers,
    };
    const { names, scope, signature } = signatureOf(method, `/s3${path}`, '', signed, payload, time);
    const key = keyOf(scope);
    let previous = signature;
    let body = '';
    for (const chunk of [...chunks, '']) {
      previous = hmac(key, ['AWS4-HMAC-SHA256-PAYLOAD', time, scope, previous, sha(''), sha(chunk)].join('\n')).toString('hex');
      body += `${Buffer.byteLength(chunk).toString(16)};chunk-signature=${previous}\r\n${wrong ? chunk.replace(/./, '#') : chunk}${chunk === '' && trailers ? '' : '\r\n'}`;
    }
    if (trailers) {
      const text = Object.entries(trailers)
        .map(([name, value]) => `${name}:${value}\n`)
        .join('');
      const end = hmac(key, ['AWS4-HMAC-SHA256-TRAILER', time, scope, previous, sha(text)].join('\n')).toString('hex');
      body += `${text.replaceAll('\n', '\r\n')}x-amz-trailer-signature:${end}\r\n\r\n`;
    }
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return exchange({
      ...sent,
      method,
      body,
      full: `/s3${path}`,
      all: { ...signed, 'content-length': String(Buffer.byteLength(body)), authorization },
    });
  }

  /** Sends a body in chunks without signatures, and checksums after it, as the SDKs do over https. */
  function askUnsigned({ chunks, trailers, announced = Object.keys(trailers), ...sent }: Unsigned): Promise<Got> {
    const frames = [...chunks, ''].map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}${chunk === '' ? '' : '\r\n'}`);
    const ends = Object.entries(trailers).map(([name, value]) => `${name}:${value}\r\n`);
    const headers = {
      'x-amz-decoded-content-length': String(Buffer.byteLength(chunks.join(''))),
      'content-encoding': 'aws-chunked',
      'x-amz-trailer': announced.join(','),
    };
    const body = `${frames.join('')}${ends.join('')}\r\n`;
    return ask({ method: 'PUT', ...sent, headers, body, payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' });
  }

  /** A presigned address. */
  function presign(path: string, { method = 'GET', seconds = 60, skew = 0 } = {}): string {
    const time = timeOf(skew);
    const query = queryOf(
      new URLSearchParams({
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Credential': `${accessKeyId}/${scopeOf(time)}`,
        'X-Amz-Date': time,
        'X-Amz-Expires': String(seconds),
        'X-Amz-SignedHeaders': 'host',
      }).toString(),
    );
    const { signature } = signatureOf(method, `/s3${path}`, query, { host }, 'UNSIGNED-PAYLOAD', time);
    return `${url}/s3${path}?${query}&X-Amz-Signature=${signature}`;
  }

  return { ask, askInChunks, askUnsigned, presign, status: async (sent: Sent): Promise<number> => (await ask(sent)).status };
}

/** The texts of all elements of that name. */
export const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
