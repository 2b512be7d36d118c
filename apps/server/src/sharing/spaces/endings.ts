import { appError } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Background } from '#/platform/background.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { Member } from './held.ts';
import { endedMail, expiredMail, unlinkedMail } from './mails.ts';
import { checkRight } from './members.ts';
import type { MemberRow, OwnedSpace, SpaceRow, SpaceStore } from './store.ts';

interface Deps {
  readonly store: SpaceStore;
  readonly access: Pick<Access, 'forget'>;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly background: Background;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Whether Premium or its trial is running. */
  readonly hasPremium: (accountId: string) => Promise<boolean>;
  /** The Space; rejects with SPACE_NOT_FOUND for non-members. */
  readonly find: (userId: string, spaceOid: string) => Promise<SpaceRow>;
}

/** How memberships and Spaces end. Files stay in the owner's storage. */
export function createEndings({ store, access, mailer, background, now, hasPremium, find }: Deps) {
  function mailAll(members: readonly (Member | MemberRow)[], letterTo: (greeting: string) => Parameters<typeof send>[1]): void {
    for (const { email, name } of members) background.start('mail space members', () => send(email, letterTo(name)));
  }
  const send = (to: string, content: ReturnType<typeof endedMail>): Promise<void> => mailer.send({ to, ...content });

  /** Ends the space; `actorId` is its owner. */
  async function end(spaceOid: string, actorId: string, ownerName: string): Promise<void> {
    const ended = await store.hold(spaceOid, async (held) => {
      const members = await held.members();
      await held.record({ actorId, action: 'space.remove', at: now() });
      await held.end();
      return { name: held.space.name, members };
    });
    if (!ended) return;
    for (const { accountId, linkId } of ended.members) access.forget(accountId, linkId);
    const others = ended.members.filter(({ accountId }) => accountId !== actorId);
    mailAll(others, (greeting) => endedMail({ greeting, name: ended.name, ownerName }));
  }

  /** Mails all members but the owner, who caused it, that the files are out of reach. */
  async function tellOutOfReach({ id, name, ownerId, ownerName }: OwnedSpace, compose: typeof unlinkedMail): Promise<void> {
    const members = await store.members(id);
    for (const { accountId, linkId } of members) access.forget(accountId, linkId);
    const others = members.filter(({ accountId }) => accountId !== ownerId);
    mailAll(others, (greeting) => compose({ greeting, name, ownerName }));
  }

  async function leave(userId: string, spaceOid: string): Promise<void> {
    const left = await store.hold(spaceOid, async (held) => {
      const self = await held.memberOf(userId);
      if (!self) return undefined;
      if (self.role === 'owner') throw appError('SPACE_OWNED', {});
      await held.part(self, { actorId: userId, at: now() });
      await held.record({ actorId: userId, action: 'space.leave', at: now() });
      return self;
    });
    if (!left) throw appError('SPACE_NOT_FOUND', {});
    access.forget(userId, left.linkId);
  }

  return {
    /** Ends a Space for everybody. Rejects with SPACE_NOT_FOUND and ROLE_FORBIDS. */
    async remove(userId: string, spaceOid: string): Promise<void> {
      const row = await find(userId, spaceOid);
      checkRight(row, 'end', row.name);
      await end(spaceOid, userId, row.ownerName);
    },

    /** Rejects with SPACE_NOT_FOUND, and with SPACE_OWNED for the owner. */
    leave,

    /** Unlinking a Space's link leaves the Space. Rejects with INVALID_LINK_URI, and with SPACE_OWNED for the owner. */
    async leaveByLink(userId: string, userLinkId: string): Promise<void> {
      const row = await store.findByLink(userId, userLinkId);
      if (!row) throw appError('INVALID_LINK_URI', {});
      await leave(userId, row.id);
    },

    /** Mails the members of Spaces whose storage link was removed. */
    async storageUnlinked(linkId: string): Promise<void> {
      for (const space of await store.onStorage(linkId)) await tellOutOfReach(space, unlinkedMail);
    },

    /** Mails the members of an account's Spaces that it no longer has Premium; sends nothing for an account with another subscription. */
    async premiumEnded(accountId: string): Promise<void> {
      if (await hasPremium(accountId)) return;
      for (const space of await store.ofOwner(accountId)) await tellOutOfReach(space, expiredMail);
    },

    /** Ends all Spaces of an account before it is deleted. */
    async endAllOf(accountId: string, ownerName: string): Promise<void> {
      for (const { id } of await store.ofOwner(accountId)) await end(id, accountId, ownerName);
    },

    sweep: () => store.sweep(now()),
  };
}
