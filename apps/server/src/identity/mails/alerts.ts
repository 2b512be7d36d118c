import type { Device } from '#/identity/sessions/sessions.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { type SignInChange, signInChangedMail } from './mails.ts';

interface Deps {
  readonly accounts: { get(id: string): Promise<{ readonly name: string; readonly email: string }> };
  readonly mailer: Pick<Mailer, 'send'>;
  readonly background: Background;
  readonly publicUrl: string;
  readonly now: Clock;
}

export type Alerts = ReturnType<typeof createAlerts>;

/** Mails about changes of how an account signs in: an intruder must not be able to add a way unnoticed. */
export function createAlerts({ accounts, mailer, background, publicUrl, now }: Deps) {
  return {
    /** Mails the account's address in the background: what was changed, when and from which device. The mails leave in the order of the changes. */
    tell(accountId: string, change: SignInChange, device: Device): void {
      const at = now();
      const send = async (): Promise<void> => {
        const { name, email } = await accounts.get(accountId);
        await mailer.send({ to: email, ...signInChangedMail({ name, change, at, device, profile: `${publicUrl}/account/profile` }) });
      };
      // A mail that overtook another would tell that a removed way was added last.
      background.start('mail sign-in change', send, `sign-in changes of ${accountId}`);
    },
  };
}
