import { type Source, appError, findSource, linkFileFormat } from '@sheaf/contract';
import { isPassword } from '#/identity/account/password.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { secretPlace } from '#/secrets/reseal.ts';
import type { Vault } from '#/secrets/vault.ts';
import { writeConf } from './rclone-conf.ts';
import type { LinkFileStore, SealedLink } from './store.ts';
import { type WholeLink, toRclone } from './to-rclone.ts';

/** Wrong passwords before a wait. */
const tries = { tries: 5, seconds: 900 } as const;

interface Deps {
  readonly store: LinkFileStore;
  readonly accounts: Pick<Accounts, 'get'>;
  readonly throttle: Throttle;
  readonly vault: Vault;
  readonly now: Clock;
}

export type LinkFiles = ReturnType<typeof createLinkFiles>;

/** Exports of an account's links. Rejects with AppError. */
export function createLinkFiles({ store, accounts, throttle, vault, now }: Deps) {
  const take = (userId: string, action: 'account.export' | 'account.exportSecrets'): Promise<SealedLink[]> =>
    store.take(userId, { accountId: userId, actorId: userId, action, subjectId: userId, subjectName: '', at: now() });

  const whole = ({ id, name, info, sealed }: SealedLink, source: Source): WholeLink => ({
    name,
    source,
    info: {
      ...(JSON.parse(info) as Record<string, string>),
      ...Object.fromEntries(Object.entries(sealed).map(([field, text]) => [field, vault.open(secretPlace(id, field), text)])),
    },
  });

  return {
    /** The settings of all links in pieces, without sealed values. */
    async settings(userId: string): Promise<Generator<string>> {
      return asJson(await take(userId, 'account.export'), new Date(now() * 1000));
    },

    /** All links as an rclone.conf, including secrets. An account with a password must enter it. Rejects with INVALID_CREDENTIALS, TOO_MANY_TRIES. */
    async rclone(userId: string, password = ''): Promise<string> {
      const { passwordHash } = await accounts.get(userId);
      if (passwordHash !== null) {
        const key = `export ${userId}`;
        await throttle.count(key, tries);
        if (!(await isPassword(password, passwordHash))) throw appError('INVALID_CREDENTIALS', {});
        await throttle.clear(key);
      }
      const links = (await take(userId, 'account.exportSecrets')).flatMap((link) => {
        const source = findSource(link.provider);
        return source && source.formType !== 'SPACES' ? [whole(link, source)] : [];
      });
      const { sections, left } = toRclone(links);
      return writeConf(sections, [
        'The links of a Sheaf account as remotes of rclone: https://rclone.org',
        'Whoever has this file can open all of these storages. The passwords in it are only obscured.',
        ...(left.length === 0 ? [] : ['Not among them:', ...left.map((line) => `  ${line}`)]),
      ]);
    },
  };
}

function* asJson(links: readonly SealedLink[], time: Date): Generator<string> {
  const head = JSON.stringify({ ...linkFileFormat, exportedAt: time.toISOString() });
  yield `${head.slice(0, -1)},"links":[`;
  for (const [index, { id: _id, sealed: _sealed, info, ...link }] of links.entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify({ ...link, settings: JSON.parse(info) as unknown })}`;
  }
  yield '\n]}\n';
}
