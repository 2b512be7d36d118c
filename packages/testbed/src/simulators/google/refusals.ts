import { type Problem, type Reply, refuse } from '../kit/index.ts';

/** An error in the format of Google's storage services. */
export const errorReply = (status: number, reason: string, message: string, details: readonly object[] = []): Reply => ({
  status,
  json: { error: { code: status, message, errors: [{ domain: 'global', reason, message }], ...(details.length > 0 && { details }) } },
});

/** Throws a refusal. */
export function refuseWith(status: number, reason: string, message: string): never {
  throw refuse(errorReply(status, reason, message));
}

export const notFound = (id: string): never => refuseWith(404, 'notFound', `File not found: ${id}.`);

/** Maps the kit's problems to Google's errors. */
export function problemReply(problem: Problem): Reply {
  switch (problem.kind) {
    case 'badRequest':
      return errorReply(400, 'badRequest', problem.why);
    case 'unknownOperation':
      return errorReply(404, 'notFound', problem.why);
    case 'notSimulated':
      return errorReply(501, 'notImplemented', problem.why);
    case 'unauthorized':
      return errorReply(401, problem.reason === 'missing' ? 'required' : 'authError', 'Invalid Credentials');
    case 'forbidden':
      return errorReply(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', domain: 'googleapis.com' },
      ]);
    case 'rateLimited':
      return errorReply(429, 'rateLimitExceeded', 'Rate Limit Exceeded');
    case 'broken':
      return errorReply(500, 'internalError', problem.why);
    default:
      return problem satisfies never;
  }
}
