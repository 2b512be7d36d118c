import { type Problem, type Reply, escapeMarkup, refuse } from '../kit/index.ts';

/** https://learn.microsoft.com/rest/api/storageservices/status-and-error-codes2 */
const errorReply = (status: number, code: string, message: string): Reply => ({
  status,
  headers: { 'content-type': 'application/xml', 'x-ms-error-code': code },
  text: `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${escapeMarkup(message)}</Message></Error>`,
});

/** Refuses a request in the service's format. */
export function refuseWith(status: number, code: string, message = code): never {
  throw refuse(errorReply(status, code, message));
}

/** The service's answer to a problem that the kit has found. */
export function problemReply(problem: Problem): Reply {
  const why = 'why' in problem ? problem.why : problem.kind;
  if (problem.kind === 'unauthorized') return errorReply(403, 'AuthenticationFailed', `The token is ${problem.reason}.`);
  if (problem.kind === 'forbidden') return errorReply(403, 'AuthorizationPermissionMismatch', why);
  if (problem.kind === 'rateLimited') return errorReply(503, 'ServerBusy', why);
  return problem.kind === 'badRequest' ? errorReply(400, 'InvalidInput', why) : errorReply(500, 'InternalError', why);
}

export const xmlReply = (body: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  text: `<?xml version="1.0" encoding="utf-8"?>${body}`,
});

/** An element, or nothing without a value. */
export const element = (name: string, value: string | number | boolean | undefined): string =>
  value === undefined ? '' : `<${name}>${escapeMarkup(String(value))}</${name}>`;
