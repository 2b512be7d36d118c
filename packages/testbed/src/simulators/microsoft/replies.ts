import { type Problem, type Reply, refuse } from '../kit/index.ts';

/** Graph's error: an outer code, with a more specific inner one where the service has one. */
function said(status: number, code: string, message: string, inner?: string): Reply {
  const innerError = { date: '2026-11-21T12:00:00', 'request-id': '00000000-0000-4000-8000-000000000000', ...(inner && { code: inner }) };
  return { status, json: { error: { code, message, innerError } } };
}

export const refused = (...args: Parameters<typeof said>): Error => refuse(said(...args));

export const itemNotFound = (): Error => refused(404, 'itemNotFound', 'The resource could not be found.');
export const nameTaken = (): Error => refused(409, 'nameAlreadyExists', 'An item with the same name already exists.');
export const invalidRequest = (message: string, inner?: string): Error => refused(400, 'invalidRequest', message, inner);
export const accessDenied = (): Error => refused(403, 'accessDenied', 'Access denied');
export const quotaReached = (): Error => refused(507, 'quotaLimitReached', 'Insufficient space');
export const changedSince = (): Error => refused(412, 'resourceModified', 'ETag does not match current item value');

/** Maps the kit's problems to Graph's errors. */
export function refusal(problem: Problem): Reply {
  switch (problem.kind) {
    case 'badRequest':
      return said(400, 'invalidRequest', problem.why);
    case 'unknownOperation':
      return said(400, 'BadRequest', problem.why);
    case 'notSimulated':
      return said(501, 'notSupported', problem.why);
    case 'unauthorized':
      return said(
        401,
        'InvalidAuthenticationToken',
        problem.reason === 'expired' ? 'Lifetime validation failed.' : 'Access token is empty.',
      );
    case 'forbidden':
      return said(403, 'accessDenied', 'Either scp or roles claim need to be present in the token.');
    case 'rateLimited':
      return said(429, 'activityLimitReached', 'Too many requests', 'throttledRequest');
    case 'broken':
      return said(500, 'generalException', problem.why);
  }
}

const numbers: Readonly<Record<string, number>> = {
  invalid_grant: 70_000,
  invalid_client: 7_000_215,
  invalid_request: 900_144,
  unauthorized_client: 700_016,
};

/** The token endpoint's error response, with the error numbers in Microsoft's texts. */
export function tokenRefusal(error: string, why: string): Reply {
  const number = numbers[error] ?? 90_000;
  return {
    status: error === 'invalid_client' ? 401 : 400,
    json: { error, error_description: `AADSTS${number}: ${why}`, error_codes: [number], timestamp: '2026-11-21 12:00:00Z' },
  };
}
