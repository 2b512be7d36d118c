import { invitePeople, listSignUpInvitations, showSignUpInvitation, withdrawSignUpInvitation } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '#/platform/http/network.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { Throttle } from '#/platform/throttle.ts';
import type { Admission } from './admission.ts';
import type { SignUpInvitations } from './invitations.ts';

/** Limits lookups from one network address. */
const looksPerAddress = { tries: 50, seconds: 15 * 60 };

interface Deps {
  readonly admission: Pick<Admission, 'show'>;
  readonly signUpInvitations: SignUpInvitations;
  readonly throttle: Throttle;
}

/** The calls of `contract/calls/admission.ts`. */
export function admissionRoutes(app: FastifyInstance, { admission, signUpInvitations, throttle }: Deps): void {
  serve(app, showSignUpInvitation, async ({ input, request }) => {
    await throttle.count(`sign-up invitation from ${networkOf(request.ip)}`, looksPerAddress);
    return admission.show(input.token);
  });
  serve(app, invitePeople, ({ input, userId, session }) => {
    requireBrowser(session);
    return signUpInvitations.invite(userId, input);
  });
  serve(app, listSignUpInvitations, async ({ userId }) => ({ invitations: await signUpInvitations.list(userId) }));
  serve(app, withdrawSignUpInvitation, async ({ input, userId, session }) => {
    requireBrowser(session);
    return { isWithdrawn: await signUpInvitations.withdraw(userId, input.invitationId) };
  });
}
