import type { ClosingStep, SecondFactorStep, Session } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { KnownDevices } from './known-devices.ts';
import type { OpenedBy } from './opened-by.ts';
import type { Device, Sessions } from './sessions.ts';
import type { Tickets } from './tickets.ts';

/** A new session: the token goes into the cookie, the rest to the page. */
export interface Opened {
  readonly token: string;
  /** Token by which the browser is recognised at the next sign-in. */
  readonly device: string;
  readonly session: Session;
}

/** Outcome of a sign-in step: a session, or the step that is still required. */
export type Entered = { readonly opened: Opened } | { readonly secondFactor: SecondFactorStep } | { readonly closing: ClosingStep };

interface Deps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly factors: SecondFactors;
  readonly tickets: Tickets;
  readonly devices: Pick<KnownDevices, 'remember'>;
}

export type SessionOpener = ReturnType<typeof createSessionOpener>;

/** Opens sessions: every way to sign in ends here. */
export function createSessionOpener({ accounts, sessions, factors, tickets, devices }: Deps) {
  async function open(account: AccountRow, device: Device, isProven = true, by?: OpenedBy): Promise<Opened> {
    const { token, rTag } = await sessions.open(account.id, device, isProven, by);
    return { token, device: await devices.remember(account.id, device.token), session: await accounts.describe(account.id, rTag) };
  }

  const hasStep = async ({ id }: AccountRow): Promise<boolean> => (await factors.kinds(id)).length > 0;

  /** Opens a session for a fully authenticated user; an account that is being closed can only be reopened. */
  async function enter(account: AccountRow, device: Device, isProven = true, by?: OpenedBy): Promise<Entered> {
    if (account.closesAt === null) return { opened: await open(account, device, isProven, by) };
    return { closing: { ticket: await tickets.open('reopen', account), closesAt: account.closesAt } };
  }

  return {
    open,
    enter,

    /** After a sign-in provider, which asks for no second factor: if the account has one, the session is not marked as reauthenticated. */
    afterProvider: async (account: AccountRow, device: Device, by: OpenedBy): Promise<Entered> =>
      enter(account, device, !(await hasStep(account)), by),

    /** After keeping an account that was being closed. How the user signed in is not known at this point. */
    reopen: async (account: AccountRow, device: Device): Promise<Opened> => open(account, device, !(await hasStep(account))),

    /** After the right password: asks for the second factor if there is one. */
    async afterPassword(account: AccountRow, device: Device): Promise<Entered> {
      const kinds = await factors.kinds(account.id);
      if (kinds.length === 0) return enter(account, device);
      return { secondFactor: { ticket: await tickets.open('factor', account), kinds } };
    },
  };
}
