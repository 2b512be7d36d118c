import type { ReactNode } from 'react';
import { keptInvitation, mayInvitedSignUp, useSignUpRules, whyNoSignUp } from '#/lib/session/sign-up-rules.ts';

/** The way to sign up, as `children`; or why there is none. */
export function NewHere({ children }: { children: ReactNode }) {
  const rules = useSignUpRules();
  const why = whyNoSignUp(rules);
  if (why !== undefined && !(mayInvitedSignUp(rules) && keptInvitation() !== undefined)) return why;
  return <>New here? {children}</>;
}
