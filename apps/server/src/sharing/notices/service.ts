import { type ProductName, priceText, products } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import type { MailContent } from '#/platform/mail/content.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { linkTroubleMail, trialEndMail } from './mails.ts';
import type { EndingTrial, NoticeStore, Reader, TroubledLink } from './store.ts';

const hour = 3600;
const day = 86_400;
/** Seconds of failure before the first mail: most failures pass by themselves. */
const brokenFor = hour;
/** Seconds between two mails about the same link. */
const silence = 7 * day;
/** Days before the end of a trial at which the first mail is sent; the second follows on the last day. */
const trialDays = 3;

interface Deps {
  readonly store: NoticeStore;
  readonly mailer: Mailer;
  /** Billing's time in seconds, which may be ahead of the clock. */
  readonly billingTime: () => Promise<number>;
  readonly publicUrl: string;
  readonly now: Clock;
  readonly onTrouble: (error: unknown) => void;
}

export type Notices = ReturnType<typeof createNotices>;

/** Automatic mails. Of several instances the one that claims a mail in the database sends it; a failed one is retried in the next round. */
export function createNotices({ store, mailer, billingTime, publicUrl, now, onTrouble }: Deps) {
  /** Returns false when no recipient could be reached. */
  async function write(readers: readonly Reader[], compose: (reader: Reader) => MailContent, errors: unknown[]): Promise<boolean> {
    const sent = await Promise.allSettled(readers.map((reader) => mailer.send({ to: reader.email, ...compose(reader) })));
    for (const one of sent) {
      if (one.status !== 'rejected') continue;
      onTrouble(one.reason);
      errors.push(one.reason);
    }
    return readers.length === 0 || sent.some(({ status }) => status === 'fulfilled');
  }

  async function tellOfLinks(errors: unknown[]): Promise<void> {
    const time = now();
    await store.noteTrouble(time);
    const claimed: TroubledLink[] = [];
    for (const link of await store.troubled(time - brokenFor, time - silence)) if (await store.claimLink(link, time)) claimed.push(link);
    for (const [ownerId, links] of Map.groupBy(claimed, (link) => link.ownerId)) {
      const { ownerKind, ownerName } = links[0] ?? { ownerKind: 'person', ownerName: '' };
      const isOrg = ownerKind !== 'person';
      const compose = ({ name }: Reader): MailContent =>
        linkTroubleMail({
          name,
          ...(isOrg && { org: ownerName }),
          links,
          page: `${publicUrl}/account/mysheaf${isOrg ? '?catid=org' : ''}`,
          settings: `${publicUrl}/account/profile`,
        });
      if (await write(await store.linkReaders(ownerId, ownerKind), compose, errors)) continue;
      for (const link of links) await store.releaseLink(link);
    }
  }

  async function tellOfTrials(errors: unknown[]): Promise<void> {
    const time = await billingTime();
    for (const trial of await store.endingTrials(time, time + trialDays * day)) {
      const days = Math.ceil((trial.endsAt - time) / day);
      const kind = days <= 1 ? 'last' : 'soon';
      if (!(await store.claimTrial(trial.subscriptionId, kind, now()))) continue;
      const readers = await store.moneyReaders(trial.payerId, trial.payerKind);
      if (!(await write(readers, ({ name }) => trialEndMail({ name, days, ...offer(trial) }), errors)))
        await store.releaseTrial(trial.subscriptionId, kind);
    }
  }

  /** The product to buy, and the page for it. */
  function offer({ payerId, payerKind, payerName, product }: EndingTrial) {
    const { name, price, term } = products[isProduct(product) ? product : 'premium'];
    if (payerKind === 'person') return { product: name, price: `${priceText(price)} a ${term}`, page: `${publicUrl}/upgrade` };
    const page = `${publicUrl}/org/subscription?${new URLSearchParams({ orgOid: payerId }).toString()}`;
    return { product: name, org: payerName, price: `${priceText(price)} a member and ${term}`, page };
  }

  return {
    /** Sends due mails; returns the errors of those that could not be sent. */
    async send(): Promise<unknown[]> {
      const errors: unknown[] = [];
      await tellOfLinks(errors);
      await tellOfTrials(errors);
      return errors;
    },
    wanted: async (userId: string): Promise<{ links: boolean }> => ({ links: await store.wantsLinks(userId) }),
    async choose(userId: string, { links }: { links: boolean }): Promise<{ links: boolean }> {
      await store.setLinks(userId, links);
      return { links };
    },
  };
}

const isProduct = (name: string): name is ProductName => Object.hasOwn(products, name);
