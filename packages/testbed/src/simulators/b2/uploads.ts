import { randomBytes } from 'node:crypto';
import { type Readable, Transform, pipeline } from 'node:stream';
import type { SimulatedRequest } from '../kit/index.ts';
import { checkName, decodeName, typeOf } from './names.ts';
import { no, partJson, versionJson } from './replies.ts';
import type { B2Content, B2Contents, Bucket, LargeFile, State } from './state.ts';

type Goal = { readonly bucket: Bucket; readonly prefix: string } | { readonly large: LargeFile };

const digits = 40;
const largestUpload = 5 * 1024 ** 3;
const mostParts = 10_000;

/** Upload URLs and their uploads. https://www.backblaze.com/apidocs/b2-upload-file */
export function createUploads(state: State, contents: B2Contents) {
  const places = new Map<string, { readonly goal: Goal; readonly token: string; busy: boolean }>();
  const plans = { corrupt: 0 };

  function place(request: SimulatedRequest, operation: string, goal: Goal) {
    const id = randomBytes(9).toString('hex');
    const token = `up_${randomBytes(18).toString('base64url')}`;
    places.set(id, { goal, token, busy: false });
    const owner = 'bucket' in goal ? goal.bucket.id : goal.large.fileId;
    return { uploadUrl: request.url(`/pod-000-1129/b2api/v4/${operation}/${owner}/${id}`), authorizationToken: token };
  }

  /** Reserves the request's upload URL until the returned function is called. Each accepts one upload at a time. */
  function enter({ params, headers }: SimulatedRequest) {
    const known = places.get(params['rest']?.split('/').at(-1) ?? '');
    if (!known || known.token !== headers.authorization) throw no(401, 'bad_auth_token');
    if (known.busy) throw no(503, 'service_unavailable', 'this place is in use');
    known.busy = true;
    return known;
  }

  async function receive({ headers, stream }: SimulatedRequest): Promise<B2Content> {
    const told = String(headers['x-bz-content-sha1']);
    const isAtEnd = told === 'hex_digits_at_end';
    const size = Number(headers['content-length']) - (isAtEnd ? digits : 0);
    if (size > largestUpload) throw no(400, 'bad_request', 'too large for one request');
    if (!isAtEnd && told !== 'do_not_verify' && !/^[0-9a-f]{40}$/.test(told)) throw no(400, 'bad_request', 'no SHA-1');
    const tail = { text: '' };
    const harmed = plans.corrupt > 0 && (plans.corrupt -= 1) >= 0 ? flipping(stream) : stream;
    const content = await contents.receive(isAtEnd ? withoutTail(harmed, size, tail) : harmed);
    const sha1 = isAtEnd ? tail.text : told;
    if (told !== 'do_not_verify' && sha1 !== content.hashes.sha1) throw no(400, 'bad_request', 'Sha1 did not match data received');
    return content;
  }

  return {
    place,
    /** Revokes every upload URL. */
    closePlaces: (): void => places.clear(),
    /** Corrupts one byte of each of the next uploads. */
    corruptNext: (times: number): void => {
      plans.corrupt = times;
    },

    async file(request: SimulatedRequest) {
      const { headers } = request;
      const fileName = decodeName(String(headers['x-bz-file-name']));
      checkName(fileName);
      const entered = enter(request);
      try {
        if (!('bucket' in entered.goal)) throw no(400, 'bad_request', 'this place takes parts');
        const { bucket, prefix } = entered.goal;
        if (!fileName.startsWith(prefix)) throw no(401, 'unauthorized');
        const content = await receive(request);
        const version = {
          fileId: state.newId(),
          fileName,
          action: 'upload' as const,
          content,
          contentSha1: content.hashes.sha1,
          contentType: typeOf(String(headers['content-type']), fileName),
          fileInfo: infoOf(headers),
          uploadTimestamp: state.now(),
        };
        state.add(bucket, version);
        return { json: versionJson(bucket, version) };
      } finally {
        entered.busy = false;
      }
    },

    async part(request: SimulatedRequest) {
      const number = Number(request.headers['x-bz-part-number']);
      if (!Number.isInteger(number) || number < 1 || number > mostParts) throw no(400, 'bad_request', 'bad part number');
      const entered = enter(request);
      try {
        if (!('large' in entered.goal)) throw no(400, 'bad_request', 'this place takes files');
        const { large } = entered.goal;
        const content = await receive(request);
        if (!state.large.has(large.fileId)) throw no(400, 'bad_request', 'No active upload for the file');
        large.parts.set(number, content);
        return { json: partJson(large.fileId, number, content, state.now()) };
      } finally {
        entered.busy = false;
      }
    },
  };
}
export type Uploads = ReturnType<typeof createUploads>;

function infoOf(headers: SimulatedRequest['headers']): Record<string, string> {
  const begin = 'x-bz-info-';
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(begin) ? [[name.slice(begin.length), decodeName(String(value))]] : [],
    ),
  );
}

/** Returns the first `size` bytes; stores the rest in `tail`. */
function withoutTail(stream: Readable, size: number, tail: { text: string }): Readable {
  let left = size;
  const cut = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const own = chunk.subarray(0, left);
      left -= own.length;
      tail.text += chunk.toString('latin1', own.length);
      done(null, own);
    },
  });
  return pipeline(stream, cut, () => undefined);
}

function flipping(stream: Readable): Readable {
  let isDone = false;
  const flip = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const copy = Buffer.from(chunk);
      if (!isDone) copy.writeUInt8(copy.readUInt8(0) ^ 0xff, 0);
      isDone = true;
      done(null, copy);
    },
  });
  return pipeline(stream, flip, () => undefined);
}
