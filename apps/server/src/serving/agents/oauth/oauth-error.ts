/** Codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 7591 (section 3.2.2), RFC 8707 (section 2) and RFC 8628 (section 3.5). */
export type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token';

/** A refusal in the words of OAuth, for programs. */
export class OAuthError extends Error {
  readonly code: OAuthCode;
  constructor(code: OAuthCode, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
  }
}
