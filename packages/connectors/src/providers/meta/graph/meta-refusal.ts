import { Type } from 'typebox';
import { ConnectorError, type ConnectorErrorKind } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { refusalOf } from '../../../kit/rest/refusal.ts';

/** https://developers.facebook.com/docs/graph-api/guides/error-handling */
const GraphError = Type.Object({
  error: Type.Object({
    code: Type.Integer(),
    error_subcode: Type.Optional(Type.Integer()),
    is_transient: Type.Optional(Type.Boolean()),
  }),
});
const Usage = Type.Unsafe<Record<string, readonly { readonly estimated_time_to_regain_access?: number }[]>>({
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: { type: 'object', properties: { estimated_time_to_regain_access: { type: 'number' } } },
  },
});

const limits: ReadonlySet<number> = new Set([4, 17, 32, 341, 368, 613]);
const passing: ReadonlySet<ConnectorErrorKind> = new Set<ConnectorErrorKind>(['rateLimited', 'unreachable']);

/** Maps an error response of the Graph API; `text` is the beginning of its body. */
export function graphRefusal(response: HttpResponse, text: string): ConnectorError {
  const fault = faultOf(text);
  if (!fault) return refusalOf(response, response.status === 401 ? 'needsAuthorization' : undefined);
  const { code, error_subcode: subcode } = fault;
  const kind = fault.is_transient ? 'unreachable' : kindOf(code, subcode);
  const retryAfter = kind === 'rateLimited' ? waitOf(response.headers['x-business-use-case-usage']) : undefined;
  return new ConnectorError(kind, `the service answered ${response.status}, code ${code}${subcode === undefined ? '' : `/${subcode}`}`, {
    retryable: passing.has(kind),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function kindOf(code: number, subcode: number | undefined): ConnectorErrorKind {
  if (code === 190 || code === 102 || code === 104) return 'needsAuthorization';
  if (code === 10 || (code >= 200 && code < 300)) return 'forbidden';
  if (code === 803 || (code === 100 && subcode === 33)) return 'notFound';
  if (limits.has(code)) return 'rateLimited';
  return code === 1 || code === 2 ? 'unreachable' : 'unexpected';
}

/** Returns the code and subcode; undefined for a body that is not from the API, such as a proxy's. */
export function faultOf(
  text: string,
): { readonly code: number; readonly error_subcode?: number; readonly is_transient?: boolean } | undefined {
  try {
    return parseJson(GraphError, text).error;
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'unexpected') return undefined;
    throw error;
  }
}

/** Parses the ms until calls are accepted again: https://developers.facebook.com/docs/graph-api/overview/rate-limiting */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  try {
    const minutes = Object.values(parseJson(Usage, header)).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access ?? 0));
    return Math.max(0, ...minutes) * 60_000 || undefined;
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'unexpected') return undefined;
    throw error;
  }
}
