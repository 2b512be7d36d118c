import { type Problem, type Reply, refuse } from '../kit/index.ts';

/** A union member: its tag, with its value under the tag's name or inline. */
export type Tagged = Readonly<Record<string, unknown>> & { readonly '.tag': string };

/** `union('path', union('not_found'))` is what Dropbox sends with the summary `path/not_found`. */
export const union = (tag: string, inner?: Tagged): Tagged => ({ '.tag': tag, ...(inner && { [tag]: inner }) });

function summaryOf(error: Tagged): string {
  const tag = error['.tag'];
  const inner = (error[tag] ?? error['reason']) as Tagged | undefined;
  return inner === undefined ? `${tag}/` : `${tag}/${summaryOf(inner)}`;
}

const said = (status: number, error: Tagged): Reply => ({ status, json: { error_summary: `${summaryOf(error)}..`, error } });

/** A route's own error. */
export const routeError = (error: Tagged): Error => refuse(said(409, error));

/** `conflict('file')`: the conflict of a write. */
export const writeConflict = (what: 'file' | 'folder' | 'file_ancestor'): Tagged => union('conflict', union(what));

export const stalePathRoot = (rootInfo: unknown): Error => refuse(said(422, { '.tag': 'invalid_root', invalid_root: rootInfo }));

/** The plain-text response to a malformed request. */
export const badRequest = (why: string): Error => refuse({ status: 400, text: `Error in call to API function: ${why}` });

export const badSelectUser = (): Error => refuse(said(401, union('invalid_select_user')));

/** Maps the kit's problems to Dropbox's errors. */
export function refusal(problem: Problem): Reply {
  switch (problem.kind) {
    case 'badRequest':
      return { status: 400, text: `Error in call to API function: ${problem.why}` };
    case 'unknownOperation':
      return { status: 404, text: 'Unknown API function' };
    case 'notSimulated':
      return { status: 501, text: problem.why };
    case 'unauthorized':
      return said(401, union(problem.reason === 'expired' ? 'expired_access_token' : 'invalid_access_token'));
    case 'forbidden':
      return said(401, { '.tag': 'missing_scope', required_scope: problem.needs[0] ?? '' });
    case 'rateLimited':
      return {
        status: 429,
        json: {
          error_summary: 'too_many_requests/..',
          error: { reason: { '.tag': 'too_many_requests' }, retry_after: problem.retryAfter },
        },
      };
    case 'broken':
      return { status: 500, text: problem.why };
  }
}
