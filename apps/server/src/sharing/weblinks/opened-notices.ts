import type { Accounts } from '#/identity/account/service.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { openedMail, uploadedMail } from './mails.ts';
import { nameOfShare } from './service.ts';
import type { WeblinkRow, WeblinkStore } from './store.ts';

interface Deps {
  readonly store: Pick<WeblinkStore, 'takeNotice'>;
  readonly accounts: Pick<Accounts, 'get'>;
  readonly mailer: Mailer;
  readonly background: Background;
  readonly publicUrl: string;
  readonly now: Clock;
}

/** Seconds between two mails about one share. */
const quiet = 86_400;

type What = 'opened' | 'uploaded';
const mails = { opened: openedMail, uploaded: uploadedMail } as const;

/**
 * Returns a function that tells a share's owner by mail that a visitor has opened it or uploaded into it, if the owner wants that. Nobody waits for the
 * mail.
 */
export function createOpenedNotices({
  store,
  accounts,
  mailer,
  background,
  publicUrl,
  now,
}: Deps): (share: WeblinkRow, what: What) => void {
  const tell = async (share: WeblinkRow, what: What): Promise<void> => {
    if (!(await store.takeNotice(share.id, now(), now() - quiet))) return;
    const { name: greeting, email } = await accounts.get(share.accountId);
    await mailer.send({ to: email, ...mails[what]({ greeting, name: nameOfShare(share), page: `${publicUrl}/shared` }) });
  };
  return (share, what) => {
    if (share.notifies === 1) background.start('tell of a used share', () => tell(share, what));
  };
}
