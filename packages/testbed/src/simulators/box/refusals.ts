import { randomBytes } from 'node:crypto';
import { type Problem, type Reply, refuse } from '../kit/index.ts';
import type { Item } from './state.ts';

const said = (status: number, code: string, more: Readonly<Record<string, unknown>> = {}): Reply => ({
  status,
  json: {
    type: 'error',
    status,
    code,
    message: code.replaceAll('_', ' '),
    help_url: 'https://developer.box.com/guides/api-calls/permissions-and-errors/common-errors/',
    request_id: randomBytes(8).toString('hex'),
    ...more,
  },
});

/** `no(404, 'not_found')`, to be thrown. */
export const no = (status: number, code: string): Error => refuse(said(status, code));

export const missing = (code: 'not_found' | 'trashed'): Error => no(404, code);

/** A name conflict; the preflight check is answered with one item, everything else with a list. */
export function conflict({ type, id, name, etag, ...rest }: Item, isQuestion: boolean): Error {
  const item = {
    type,
    id,
    name,
    sequence_id: String(etag),
    etag: String(etag),
    ...('content' in rest && {
      sha1: rest.content.hashes.sha1,
      file_version: { type: 'file_version', id: rest.version, sha1: rest.content.hashes.sha1 },
    }),
  };
  return refuse(said(409, 'item_name_in_use', { context_info: { conflicts: isQuestion ? item : [item] } }));
}

/** Throws for names that Box does not accept. */
export function invalidName(name: string): void {
  if ([...name].length > 255) throw no(400, 'item_name_too_long');
  // oxlint-disable-next-line no-control-regex
  if (name === '' || name === '.' || name === '..' || /[/\\\u0000-\u001f\u007f]| $/.test(name)) throw no(400, 'item_name_invalid');
}

/** Maps the kit's problems to Box's errors. */
export function refusal(problem: Problem): Reply {
  switch (problem.kind) {
    case 'badRequest':
      return said(400, 'bad_request', { context_info: { message: problem.why } });
    case 'unknownOperation':
      return said(404, 'not_found');
    case 'notSimulated':
      return said(405, 'method_not_allowed');
    case 'unauthorized':
      return { status: 401, headers: { 'www-authenticate': 'Bearer realm="Service", error="invalid_token"' } };
    case 'forbidden':
      return said(403, 'insufficient_scope');
    case 'rateLimited':
      return said(429, 'rate_limit_exceeded');
    case 'broken':
      return said(500, 'internal_server_error', { context_info: { message: problem.why } });
  }
}
