import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Contents, Handler, Reply, SimulatedRequest } from '../kit/index.ts';
import { toFacts } from './facts.ts';
import { conflict, invalidName, no } from './refusals.ts';
import type { BoxState, Bytes, File } from './state.ts';

interface Attributes {
  readonly name?: string;
  readonly parent?: { readonly id: string };
  readonly content_modified_at?: string;
}

export interface Limits {
  /** Storage quota of an account in bytes. */
  quota: number;
  largestFile: number;
  /** Replaces the bytes of the next file or part. */
  damageNext: boolean;
  /** Number of commits that are answered as still processing. */
  commitsEarly: number;
  /** Bytes of each part of a session. */
  readonly partSize: number;
  /** Most parts on a page of a session's list. */
  readonly listedParts: number;
}

/** Receives one upload's bytes, or damages them when configured. */
export async function receive(stream: Readable, contents: Contents<'sha1'>, limits: Limits): Promise<Bytes> {
  const content = await contents.receive(stream);
  if (!limits.damageNext || content.size === 0) return content;
  limits.damageNext = false;
  return contents.of('something else');
}

export const secondsOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Math.floor(Date.parse(text) / 1000);

/** The files in an upload's response. */
export const uploaded = (state: BoxState, file: File, { query }: SimulatedRequest): Reply => ({
  status: 201,
  json: { total_count: 1, entries: [toFacts(state, file, query.get('fields'))] },
});

/** Single-request uploads, and their preflight check. */
export function uploadRoutes(stateOf: (request: SimulatedRequest) => BoxState, contents: Contents<'sha1'>, limits: Limits) {
  function refuseSize(state: BoxState, size: number): void {
    if (size > limits.largestFile) throw no(413, 'file_size_limit_exceeded');
    if (state.used() + size > limits.quota) throw no(403, 'storage_limit_exceeded');
  }

  async function content(request: SimulatedRequest, state: BoxState): Promise<Bytes> {
    const { file, headers } = request;
    if (file?.field !== 'file') throw no(400, 'bad_request');
    const bytes = await receive(file.stream, contents, limits);
    const told = headers['content-md5'];
    if (told !== undefined && told !== bytes.hashes.sha1) throw no(400, 'bad_digest');
    refuseSize(state, bytes.size);
    return bytes;
  }

  const attributesOf = ({ form }: SimulatedRequest): Attributes => JSON.parse(form.get('attributes') ?? '{}') as Attributes;

  const api: Record<string, Handler> = {
    'OPTIONS /files/content': (request) => {
      const state = stateOf(request);
      const { name = '', parent, size = 0 } = request.json<{ name?: string; parent?: { id: string }; size?: number }>();
      invalidName(name);
      const folder = state.find(parent?.id ?? '', 'folder');
      const there = state.occupant(folder.id, name);
      if (there) throw conflict(there, true);
      refuseSize(state, size);
      return { json: { upload_url: request.url('/upload/api/2.0/files/content'), upload_token: randomBytes(8).toString('hex') } };
    },
  };

  const uploads: Record<string, Handler> = {
    'POST /files/content': async (request) => {
      const state = stateOf(request);
      const { name = '', parent, content_modified_at } = attributesOf(request);
      state.claim(parent?.id ?? '', name);
      const bytes = await content(request, state);
      return uploaded(state, state.addFile(parent?.id ?? '', name, bytes, secondsOf(content_modified_at)), request);
    },
    'POST /files/{file_id}/content': async (request) => {
      const state = stateOf(request);
      const file = state.find(request.params['file_id'] ?? '', 'file') as File;
      const { name, content_modified_at } = attributesOf(request);
      if (name !== undefined) state.claim(file.parent, name, file.id);
      const bytes = await content(request, state);
      const asked = request.headers['if-match'];
      if (asked !== undefined && asked !== String(file.etag)) throw no(412, 'precondition_failed');
      if (name !== undefined && name !== file.name) state.change(file, { name });
      return { ...uploaded(state, state.addVersion(file, bytes, secondsOf(content_modified_at)), request), status: 200 };
    },
  };
  return { api, uploads, refuseSize };
}
