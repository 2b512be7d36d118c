import { readAttention } from '#/links/connections/attention.ts';
import type { Db } from '#/platform/db/schema/engine.ts';

/** A recipient. */
export interface Reader {
  readonly name: string;
  readonly email: string;
}

/** A failing link that is due for a mail. */
export interface TroubledLink {
  readonly linkId: string;
  readonly ownerId: string;
  readonly ownerKind: string;
  readonly ownerName: string;
  readonly name: string;
  readonly attention: string;
  readonly toldAt: number | null;
}

/** A trial that ends soon. */
export interface EndingTrial {
  readonly subscriptionId: string;
  readonly payerId: string;
  readonly payerKind: string;
  readonly payerName: string;
  readonly product: string;
  readonly endsAt: number;
}

/** Roles that receive mails about an organisation's links, and about its money. */
const linkReaders = ['admin', 'owner'] as const;
const moneyReaders = ['owner'] as const;

/** Store of notices. */
export function createNoticeStore(db: Db) {
  /** Recipients for an account: its owner, or members of the organisation. Only verified addresses of active accounts, not of those being closed. */
  const readers = (accountId: string, kind: string, roles: readonly string[]) => {
    const people = db
      .selectFrom('account')
      .select(['account.id', 'account.name', 'account.email'])
      .where('account.verifiedAt', 'is not', null)
      .where('account.disabledAt', 'is', null)
      .where('account.closesAt', 'is', null);
    if (kind === 'person') return people.where('account.id', '=', accountId);
    return people
      .innerJoin('org_member', 'org_member.accountId', 'account.id')
      .where('org_member.orgId', '=', accountId)
      .where('org_member.role', 'in', roles);
  };

  return {
    /** Records since when links fail, and which have recovered. */
    async noteTrouble(now: number): Promise<void> {
      await db
        .insertInto('link_notice')
        .columns(['linkId', 'since'])
        .expression((by) =>
          by
            .selectFrom('link')
            .select((of) => ['link.id', of.val(now).as('since')])
            .where('link.state', '=', 'attention')
            .where('link.id', 'not in', by.selectFrom('link_notice').select('linkId')),
        )
        .onConflict((conflict) => conflict.column('linkId').doNothing())
        .execute();
      const troubled = db.selectFrom('link').select('id').where('state', '=', 'attention');
      await db.updateTable('link_notice').set({ since: now }).where('since', 'is', null).where('linkId', 'in', troubled).execute();
      await db.updateTable('link_notice').set({ since: null }).where('since', 'is not', null).where('linkId', 'not in', troubled).execute();
    },

    /** Links failing since `since` or longer, without a mail about this failure and none after `toldBefore`. */
    troubled: (since: number, toldBefore: number): Promise<TroubledLink[]> =>
      db
        .selectFrom('link_notice')
        .innerJoin('link', 'link.id', 'link_notice.linkId')
        .innerJoin('account', 'account.id', 'link.accountId')
        .leftJoin('notice_setting', 'notice_setting.accountId', 'account.id')
        .select([
          'link_notice.linkId',
          'link_notice.toldAt',
          'link.accountId as ownerId',
          'account.kind as ownerKind',
          'account.name as ownerName',
          'link.name',
          'link.attention',
        ])
        .where('link_notice.since', '<=', since)
        .where((by) =>
          by.or([
            by('link_notice.toldAt', 'is', null),
            by.and([by('link_notice.toldAt', '<', by.ref('link_notice.since')), by('link_notice.toldAt', '<=', toldBefore)]),
          ]),
        )
        .where('link.state', '=', 'attention')
        .where('account.closesAt', 'is', null)
        .where((by) => by.or([by('notice_setting.links', 'is', null), by('notice_setting.links', '=', 1)]))
        .orderBy('link.accountId')
        .orderBy('link.nameKey')
        .execute()
        .then((rows) =>
          rows.map(({ attention, ...row }) => ({ ...row, attention: attention === null ? '' : readAttention(attention).attention })),
        ),

    /** Claims the mail about the link; true for one caller only. */
    async claimLink({ linkId, toldAt }: TroubledLink, now: number): Promise<boolean> {
      const claimed = await db
        .updateTable('link_notice')
        .set({ toldAt: now })
        .where('linkId', '=', linkId)
        .where('toldAt', toldAt === null ? 'is' : '=', toldAt)
        .returning('linkId')
        .executeTakeFirst();
      return claimed !== undefined;
    },
    /** Releases the claim: nobody could be reached. */
    async releaseLink({ linkId, toldAt }: TroubledLink): Promise<void> {
      await db.updateTable('link_notice').set({ toldAt }).where('linkId', '=', linkId).execute();
    },

    /** Trials that run at `now` and end by `before`, in billing's seconds. */
    endingTrials: (now: number, before: number): Promise<EndingTrial[]> =>
      db
        .selectFrom('subscription')
        .innerJoin('account', 'account.id', 'subscription.payerId')
        .select([
          'subscription.id as subscriptionId',
          'subscription.payerId',
          'account.kind as payerKind',
          'account.name as payerName',
          'subscription.product',
          'subscription.endsAt',
        ])
        .where('subscription.state', '=', 'trial')
        .where('subscription.endsAt', '>', now)
        .where('subscription.endsAt', '<=', before)
        .where('account.closesAt', 'is', null)
        .execute(),
    async claimTrial(subscriptionId: string, kind: string, now: number): Promise<boolean> {
      const claimed = await db
        .insertInto('trial_notice')
        .values({ subscriptionId, kind, toldAt: now })
        .onConflict((conflict) => conflict.columns(['subscriptionId', 'kind']).doNothing())
        .returning('kind')
        .executeTakeFirst();
      return claimed !== undefined;
    },
    async releaseTrial(subscriptionId: string, kind: string): Promise<void> {
      await db.deleteFrom('trial_notice').where('subscriptionId', '=', subscriptionId).where('kind', '=', kind).execute();
    },

    /** Recipients for the account's links who have not turned notices off. */
    linkReaders: (accountId: string, kind: string): Promise<Reader[]> =>
      readers(accountId, kind, linkReaders)
        .leftJoin('notice_setting', 'notice_setting.accountId', 'account.id')
        .where((by) => by.or([by('notice_setting.links', 'is', null), by('notice_setting.links', '=', 1)]))
        .execute(),
    moneyReaders: (accountId: string, kind: string): Promise<Reader[]> => readers(accountId, kind, moneyReaders).execute(),

    async wantsLinks(accountId: string): Promise<boolean> {
      const row = await db.selectFrom('notice_setting').select('links').where('accountId', '=', accountId).executeTakeFirst();
      return row?.links !== 0;
    },
    async setLinks(accountId: string, isOn: boolean): Promise<void> {
      const links = isOn ? 1 : 0;
      await db
        .insertInto('notice_setting')
        .values({ accountId, links })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ links }))
        .execute();
    },
  };
}
export type NoticeStore = ReturnType<typeof createNoticeStore>;
