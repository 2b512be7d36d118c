import { type Static, Type } from 'typebox';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';

/** Every method responds with status 200 and reports its result here: https://docs.slack.dev/apis/web-api/#responses */
export const SlackAnswer = Type.Object({
  ok: Type.Boolean(),
  error: Type.Optional(Type.String()),
  needed: Type.Optional(Type.String()),
});
export type SlackAnswer = Static<typeof SlackAnswer>;

/** The codes of https://docs.slack.dev/reference/methods, grouped by what a user can do about them. */
const codes: Partial<Record<ConnectorErrorKind, string>> = {
  needsAuthorization: 'invalid_auth not_authed account_inactive token_revoked token_expired invalid_refresh_token',
  unauthorized: 'invalid_code code_already_used code_expired bad_redirect_uri invalid_grant',
  appRefused: 'invalid_client_id bad_client_secret invalid_client',
  notFound: 'file_not_found file_deleted channel_not_found user_not_found',
  full: 'storage_limit_reached file_upload_size_restricted',
  rateLimited: 'ratelimited rate_limited',
  unreachable: 'internal_error fatal_error service_unavailable request_timeout team_added_to_org',
  unsupported: 'method_not_supported_for_channel_type method_deprecated unknown_method',
  forbidden:
    'missing_scope not_allowed_token_type no_permission access_denied accesslimited restricted_action cant_delete_file is_archived not_in_channel ' +
    'posting_to_channel_denied channel_is_limited_access ekm_access_denied org_login_required enterprise_is_restricted team_access_not_granted',
};
const kindOfCode: ReadonlyMap<string, ConnectorErrorKind> = new Map(
  Object.entries(codes).flatMap(([kind, list]) => list.split(' ').map((code) => [code, kind as ConnectorErrorKind])),
);

/** Maps an unsuccessful response. details.scope is the missing scope. */
export function slackRefusal({ error = '', needed }: SlackAnswer): ConnectorError {
  const kind = kindOfCode.get(error) ?? 'unexpected';
  // Only a well-formed code may go into the log.
  const code = /^\w{1,60}$/.test(error) ? error : 'something else';
  return new ConnectorError(kind, `Slack answered ${code}`, {
    retryable: kind === 'rateLimited' || kind === 'unreachable',
    ...(error === 'missing_scope' && needed !== undefined && { details: { scope: needed } }),
  });
}
