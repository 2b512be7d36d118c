import type { SignUpRules } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { keptToken } from './kept-token.ts';
import { sessionQuery } from './session.ts';

/** Page that an invitation to this installation opens; its token is kept under this path. */
export const signUpPath = '/signup/start';

/** Who may create an account; undefined until it is known. */
export const useSignUpRules = (): SignUpRules | undefined => useQuery(sessionQuery).data?.signUp;

/** Why a visitor without an invitation cannot create an account; undefined when that is possible. */
export function whyNoSignUp(rules: SignUpRules | undefined): string | undefined {
  if (rules === undefined || rules.setup !== undefined || rules.mode === 'open') return undefined;
  return rules.mode === 'closed' ? 'New accounts cannot be created here at the moment.' : 'New accounts are by invitation here.';
}

/** Whether an invited person may create an account. */
export const mayInvitedSignUp = (rules: SignUpRules | undefined): boolean => rules?.mode !== 'closed';

/** The token of the invitation that this browser has opened, if any: to this installation, a Space or an organisation. */
export const keptInvitation = (): string | undefined =>
  keptToken(signUpPath) ?? keptToken('/invitation/space') ?? keptToken('/invitation/org');
