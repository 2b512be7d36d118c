import { createHmac } from 'node:crypto';
import { type Problem, type Reply, type SimulatedRequest, refuse } from '../kit/index.ts';

/** An error in the format of the Graph API. */
export const graphError = (status: number, code: number, message: string, subcode?: number): Reply => ({
  status,
  json: {
    error: { message, type: 'OAuthException', code, ...(subcode !== undefined && { error_subcode: subcode }), fbtrace_id: 'A1b2C3' },
  },
});
export const no = (status: number, code: number, message: string, subcode?: number) => refuse(graphError(status, code, message, subcode));
export const missing = () => no(400, 100, 'Unsupported get request. Object does not exist or is not visible.', 33);

const rejected = {
  missing: [104, undefined],
  invalid: [190, undefined],
  expired: [190, 463],
} as const;

export function problemReply(problem: Problem): Reply {
  if (problem.kind === 'unauthorized') {
    const [code, subcode] = rejected[problem.reason];
    return graphError(400, code, `The access token is ${problem.reason}.`, subcode);
  }
  if (problem.kind === 'forbidden') return graphError(403, 200, `Requires the permission ${problem.needs.join(' or ')}.`);
  if (problem.kind === 'rateLimited') {
    const usage = JSON.stringify({ 1: [{ estimated_time_to_regain_access: Math.ceil(problem.retryAfter / 60) }] });
    return { ...graphError(400, 4, 'Application request limit reached'), headers: { 'x-business-use-case-usage': usage } };
  }
  return problem.kind === 'broken'
    ? graphError(500, 2, problem.why)
    : graphError(400, problem.kind === 'badRequest' ? 100 : 2500, problem.why);
}

/** Requires the app secret proof on each call. */
export function checkProof({ query, token }: SimulatedRequest, secret: string): void {
  const proof = createHmac('sha256', secret).update(token).digest('hex');
  if (query.get('appsecret_proof') !== proof) throw no(400, 100, 'Invalid appsecret_proof provided in the API argument');
}

/** Returns the requested fields and the id; `album{id}` requests nested fields, which are returned whole here. */
export function chosen(query: URLSearchParams, all: Readonly<Record<string, unknown>>, preset: readonly string[]): Record<string, unknown> {
  const names =
    query
      .get('fields')
      ?.replaceAll(/\{[^}]*\}/g, '')
      .split(',') ?? preset;
  const unknown = names.find((name) => !(name in all));
  if (unknown !== undefined) throw no(400, 100, `Tried accessing nonexisting field (${unknown})`);
  return Object.fromEntries(['id', ...names].flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

/** Returns a page of an edge. A `hollow` above 0 returns an empty one that others follow, as happens when rows are filtered out. */
export function page<Row>(
  { query, path, token, url }: SimulatedRequest,
  rows: readonly Row[],
  show: (row: Row) => unknown,
  hollow = 0,
): Reply {
  const limit = Number(query.get('limit') ?? 25);
  if (!(limit >= 1 && limit <= 100)) throw no(400, 100, 'The limit is out of range');
  const start = Number(
    Buffer.from(query.get('after') ?? '', 'base64url')
      .toString()
      .slice(2) || 0,
  );
  if (!Number.isInteger(start)) throw no(400, 100, 'Invalid cursor');
  const end = hollow > 0 ? start : Math.min(rows.length, start + limit);
  const cursor = (at: number) => Buffer.from(`${hollow % 10}:${at}`).toString('base64url');
  const next = new URLSearchParams([...query, ['access_token', token]]);
  next.set('after', cursor(end));
  const paging = {
    cursors: { before: cursor(start), after: cursor(end) },
    ...(end < rows.length && { next: url(`${path}?${next.toString()}`) }),
  };
  return { json: { data: rows.slice(start, end).map(show), ...(rows.length > 0 && { paging }) } };
}
