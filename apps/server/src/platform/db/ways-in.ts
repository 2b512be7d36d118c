import type { Db } from './schema/engine.ts';
import type { Database } from './schema/schema.ts';

type Identity = Pick<Database['identity'], 'issuer' | 'subject' | 'provider'>;

/** A way to sign in that somebody wants to remove. */
type Way = { readonly password: true } | { readonly passkeyId: string } | { readonly identity: Pick<Identity, 'issuer' | 'subject'> };

interface Rules {
  /** Whether the settings still have the provider that opens this identity. */
  readonly opens: (identity: Identity) => boolean;
}

export type WaysIn = ReturnType<typeof createWaysIn>;

/** The one place that counts the ways to sign in to an account. */
export const createWaysIn = ({ opens }: Rules) => ({
  /**
   * Whether an account can be signed in to without this way: a provider that is no longer set up, and a password that does not sign in
   * (`passwordsCount`), are none. Locks the account until the transaction ends, so that of two concurrent removals the second sees the first.
   */
  async remainWithout(transaction: Db, accountId: string, removed: Way, passwordsCount: boolean): Promise<boolean> {
    const account = await transaction
      .updateTable('account')
      .set({ id: accountId })
      .where('id', '=', accountId)
      .returning('passwordHash')
      .executeTakeFirst();
    if (passwordsCount && !('password' in removed) && typeof account?.passwordHash === 'string') return true;
    const passkeys = await transaction
      .selectFrom('passkey')
      .select('id')
      .where('accountId', '=', accountId)
      .where('signsIn', '=', 1)
      .execute();
    if (passkeys.some(({ id }) => !('passkeyId' in removed) || id !== removed.passkeyId)) return true;
    const identities = await transaction
      .selectFrom('identity')
      .select(['issuer', 'subject', 'provider'])
      .where('accountId', '=', accountId)
      .execute();
    const isRemoved = ({ issuer, subject }: Identity): boolean =>
      'identity' in removed && removed.identity.issuer === issuer && removed.identity.subject === subject;
    return identities.some((identity) => !isRemoved(identity) && opens(identity));
  },
});
