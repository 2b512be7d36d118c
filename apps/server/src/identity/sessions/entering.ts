import type { ClosingStep, SecondFactorStep, Session } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Device, Sessions } from './sessions.ts';
import type { Tickets } from './tickets.ts';

/** A session that has just been opened: the token belongs into the cookie, the rest to the page. */
export interface Opened {
  readonly token: string;
  /** Token of the browser, by which it is known at the next sign-in. */
  readonly device: string;
  readonly session: Session;
}

/** How a sign-in went on: a session, or what has to be done before there is one. */
export type Entered = { readonly opened: Opened } | { readonly secondFactor: SecondFactorStep } | { readonly closing: ClosingStep };

interface Deps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly factors: SecondFactors;
  readonly tickets: Tickets;
  readonly devices: Pick<KnownDevices, 'remember'>;
}

export type Entering = ReturnType<typeof createEntering>;

/** The one door: every way of signing in ends here. */
export function createEntering({ accounts, sessions, factors, tickets, devices }: Deps) {
  async function open(account: AccountRow, device: Device, isProven = true): Promise<Opened> {
    const { token, rTag } = await sessions.open(account.id, device, isProven);
    return { token, device: await devices.remember(account.id, device.token), session: await accounts.describe(account.id, rTag) };
  }

  const hasStep = async ({ id }: AccountRow): Promise<boolean> => (await factors.kinds(id)).length > 0;

  /** For whoever has proven all that is asked; an account about to be closed opens only to be kept. */
  async function enter(account: AccountRow, device: Device, isProven = true): Promise<Entered> {
    if (account.closesAt === null) return { opened: await open(account, device, isProven) };
    return { closing: { ticket: await tickets.open('reopen', account), closesAt: account.closesAt } };
  }

  return {
    open,
    enter,

    /** For whoever comes from a sign-in provider, which asks for no second step: where there is one, the session does not count as proven. */
    afterProvider: async (account: AccountRow, device: Device): Promise<Entered> => enter(account, device, !(await hasStep(account))),

    /** For whoever keeps an account that was about to be closed. By then it is not known how they came. */
    reopen: async (account: AccountRow, device: Device): Promise<Opened> => open(account, device, !(await hasStep(account))),

    /** For whoever has given the right password: asks for the second step where there is one. */
    async afterPassword(account: AccountRow, device: Device): Promise<Entered> {
      const kinds = await factors.kinds(account.id);
      if (kinds.length === 0) return enter(account, device);
      return { secondFactor: { ticket: await tickets.open('factor', account), kinds } };
    },
  };
}
