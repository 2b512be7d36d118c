import {
  type InputOf,
  type SignInAnswer,
  confirmSignup,
  emailLogin,
  emailSignup,
  expireSessions,
  forgotPassword,
  isSession,
  listSessions,
  passkeyLogin,
  passkeyOptions,
  reopenAccount,
  resendVerification,
  resetPassword,
  secondFactor,
  showSignUpInvitation,
  updateMember,
  verifyEmail,
} from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { tellTabs } from '#/lib/session/other-tabs.ts';
import { useWithProof } from '#/lib/session/proof.ts';
import { refreshSession, sessionQuery } from '#/lib/session/session.ts';
import { askPasskey } from './passkey.ts';

/** A way to sign in; once there is a session, clears the data of the former user. */
function useEnter<Input>(enter: (input: Input) => Promise<SignInAnswer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: enter,
    gcTime: 0,
    onSuccess: async (answer) => {
      if (!isSession(answer)) return;
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey !== sessionQuery.queryKey });
      await refreshSession();
      tellTabs('signedIn');
    },
  });
}

export const useSignIn = () => useEnter((input: InputOf<typeof emailLogin>) => send(emailLogin, input));

/** Signs in with a passkey alone, chosen in the browser's prompt. */
export const usePasskeyLogin = () =>
  useEnter(async () => send(passkeyLogin, { assertion: await askPasskey((await send(passkeyOptions, {})).options) }));

/** The second step with a code of either kind or, without one, with a passkey. */
export const useSecondFactor = (ticket: string) =>
  useEnter(async (answer: { readonly code?: string; readonly recoveryCode?: string }) => {
    const given = answer.code !== undefined || answer.recoveryCode !== undefined;
    const passkey = given ? {} : { assertion: await askPasskey((await send(passkeyOptions, { ticket })).options) };
    return send(secondFactor, { ticket, ...answer, ...passkey });
  });

/** Keeps an account that is being closed. */
export const useReopen = () => useEnter((ticket: string) => send(reopenAccount, { ticket }));

/** Whom an invitation to this installation is for. */
export const signUpInvitation = (token: string) =>
  queryOptions({
    queryKey: ['sign-up-invitation', token],
    queryFn: ({ signal }) => send(showSignUpInvitation, { token }, signal),
    gcTime: 0,
    retry: false,
  });

/** Creates an account and signs in; or mails a link that does so. */
export function useSignUp() {
  return useMutation({
    mutationFn: (input: InputOf<typeof emailSignup>) => send(emailSignup, input),
    onSuccess: async (answer) => {
      if (!isSession(answer)) return;
      await refreshSession();
      tellTabs('signedIn');
    },
  });
}

/** Creates the account of a mailed link, signs in and goes to `target`. */
export const useConfirmSignUp = (target: string) =>
  useMutation({
    mutationFn: (input: InputOf<typeof confirmSignup>) => send(confirmSignup, input),
    gcTime: 0,
    onSuccess: (answer) => {
      if (!isSession(answer)) return;
      tellTabs('signedIn');
      // Replaces the location: the frame of a signed-in user would mount this page again and spend the link twice.
      location.replace(target);
    },
  });

export const useForgotPassword = () => useMutation({ mutationFn: (email: string) => send(forgotPassword, { email }) });
export const useResetPassword = () => useMutation({ mutationFn: (input: InputOf<typeof resetPassword>) => send(resetPassword, input) });
export const useResendVerification = () => useMutation({ mutationFn: () => send(resendVerification, {}) });

/** Confirms an email address and updates the session. */
export const useVerifyEmail = () =>
  useMutation({ mutationFn: (token: string) => send(verifyEmail, { token }), onSettled: () => refreshSession() });

/** Changes the account's name or email address. */
export function useUpdateMember() {
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (change: { newName?: string; newEmail?: string }) => withProof(() => send(updateMember, change)),
    onSuccess: () => refreshSession(),
  });
}

export const sessionList = queryOptions({ queryKey: ['sessions'], queryFn: ({ signal }) => send(listSessions, {}, signal) });

/** Ends the given session, or all but this one. */
export function useExpireSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sessionId?: string) => send(expireSessions, sessionId === undefined ? {} : { sessionId }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionList.queryKey }),
  });
}
