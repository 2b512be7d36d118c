import {
  type InputOf,
  emailLogin,
  emailSignup,
  expireSessions,
  forgotPassword,
  listSessions,
  logout,
  resendVerification,
  resetPassword,
  updateMember,
  verifyEmail,
} from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { tellTabs } from '#/lib/other-tabs.ts';
import { send } from '#/lib/send.ts';
import { refreshSession, sessionQuery } from '#/lib/session.ts';

/** Signs in; whoever was signed in before leaves nothing behind. */
export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<typeof emailLogin>) => send(emailLogin, input),
    onSuccess: async () => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey !== sessionQuery.queryKey });
      await refreshSession();
      tellTabs('signedIn');
    },
  });
}

/** Opens an account and signs in. */
export function useSignUp() {
  return useMutation({
    mutationFn: (input: InputOf<typeof emailSignup>) => send(emailSignup, input),
    onSuccess: async () => {
      await refreshSession();
      tellTabs('signedIn');
    },
  });
}

/** Ends the session here and in every other tab, and forgets what was shown. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(logout, {}),
    onSuccess: async () => {
      queries.clear();
      tellTabs('signedOut');
      await queries.fetchQuery(sessionQuery);
    },
  });
}

export const useForgotPassword = () => useMutation({ mutationFn: (email: string) => send(forgotPassword, { email }) });
export const useResetPassword = () => useMutation({ mutationFn: (input: InputOf<typeof resetPassword>) => send(resetPassword, input) });
export const useResendVerification = () => useMutation({ mutationFn: () => send(resendVerification, {}) });

/** Confirms an e-mail address; the session then knows it as verified. */
export const useVerifyEmail = () =>
  useMutation({ mutationFn: (token: string) => send(verifyEmail, { token }), onSuccess: () => refreshSession() });

/** Changes name or e-mail address of the account. */
export const useUpdateMember = () =>
  useMutation({
    mutationFn: (change: { newName?: string; newEmail?: string }) => send(updateMember, change),
    onSuccess: () => refreshSession(),
  });

export const sessionList = queryOptions({ queryKey: ['sessions'], queryFn: ({ signal }) => send(listSessions, {}, signal) });

/** Ends the session given, or all but this one. */
export function useExpireSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sessionId?: string) => send(expireSessions, sessionId === undefined ? {} : { sessionId }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionList.queryKey }),
  });
}
