import {
  type Connector,
  type Dialer,
  type HashName,
  conclude,
  layered,
  limit,
  openWebAddress,
  retry,
  timeout,
  wholeReads,
} from '@sheaf/connectors';
import { type InputOf, type ReplyOf, appError, type copyFromAddress, isFileName, linkUriOf, type lookAtAddress } from '@sheaf/contract';
import type { Links } from '#/files/items/open-item.ts';
import { answer } from '#/links/connections/answers.ts';
import type { OpenLink } from '#/links/connections/connections.ts';
import { createLifetime } from '#/links/connections/lifetime.ts';
import type { Allowance, Throttle } from '#/platform/throttle.ts';
import type { Vault } from '#/secrets/vault.ts';
import type { WebAddressRow, WebAddressStore } from './store.ts';

interface Deps {
  readonly links: Links;
  readonly store: WebAddressStore;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly throttle: Pick<Throttle, 'count'>;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Ids of links are letters only, so that none begins like this. */
const idPrefix = 'web-';
/** Connections to one address: one answers a question while the file is read. */
const connections = 2;
/** ms after which the connections of an address are closed. */
const idleFor = 30_000;
/** Questions of one account to servers of the web: Sheaf must not become a tool against them. */
const asked: Allowance = { tries: 120, seconds: 60 };
const sealedAt = (id: string) => ({ table: 'webAddress', recordId: id, field: 'address' });
/** Hashes by the length of their text. */
const hashOfLength: Readonly<Record<number, HashName>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };

/** Addresses of the web as sources of transfers: each is a link of its owner with one file. */
export function createWebAddresses({ links, store, vault, dialer, throttle, newId, now }: Deps) {
  function connectorAt(address: URL, { name, hash }: Partial<Pick<WebAddressRow, 'name' | 'hash'>> = {}): Connector {
    const [algorithm, value] = hash?.split(':') ?? [];
    const wanted = algorithm !== undefined && value !== undefined ? { hash: { name: algorithm as HashName, value } } : {};
    const inner = openWebAddress({ address, dialer, ...(name !== undefined && { name }), ...wanted });
    const lifetime = createLifetime(idleFor, () => void inner.close());
    return layered(
      wholeReads(layered(inner, limit(connections), timeout(), retry(), conclude())),
      answer({ provider: address.hostname, heard: () => undefined }),
      lifetime.layer,
    );
  }

  async function openAddress(userId: string, userLinkId: string): Promise<OpenLink> {
    const row = await store.find(userId, userLinkId.slice(idPrefix.length));
    if (!row) throw appError('INVALID_LINK_URI', {});
    const connector = connectorAt(new URL(vault.open(sealedAt(row.id), row.sealed)), row);
    return { userLinkId, name: row.host, provider: row.host, hasBin: false, transferSlots: connections, connector };
  }

  return {
    /** The user's links, and among them the addresses that transfers of theirs copy from. */
    links: {
      ...links,
      open: (userId, userLinkId) => (userLinkId.startsWith(idPrefix) ? openAddress(userId, userLinkId) : links.open(userId, userLinkId)),
    } satisfies Links,

    /** Asks the server what it has there. Rejects with TOO_MANY_TRIES. */
    async look(
      userId: string,
      { address }: Pick<InputOf<typeof lookAtAddress>, 'address'>,
      signal: AbortSignal,
    ): Promise<ReplyOf<typeof lookAtAddress>> {
      const at = addressOf(address);
      await throttle.count(`web address:${userId}`, asked);
      const connector = connectorAt(at);
      try {
        const { name, size, mimeType, modified } = await connector.stat('/', { signal });
        const facts = { ...(size !== undefined && { size }), ...(mimeType !== undefined && { mimeType }) };
        return { name, host: at.hostname, ...facts, ...(modified !== undefined && { modified: Math.trunc(modified) }) };
      } finally {
        await connector.close();
      }
    },

    /** Keeps an address, and returns that of its file for a transfer. Rejects as the server there does. */
    async add(
      userId: string,
      { address, newName, checksum }: Pick<InputOf<typeof copyFromAddress>, 'address' | 'newName' | 'checksum'>,
      signal: AbortSignal,
    ): Promise<string> {
      const at = addressOf(address);
      const hash = checksum === undefined ? null : hashOf(checksum);
      const found = await this.look(userId, { address }, signal);
      const name = newName ?? found.name;
      if (!isFileName(name)) throw appError('FILE_NAME_REFUSED', { provider: at.hostname, name });
      const id = newId();
      await store.add({
        id,
        accountId: userId,
        host: at.hostname,
        sealed: vault.seal(sealedAt(id), at.href),
        name,
        hash,
        createdAt: now(),
      });
      return linkUriOf(`${idPrefix}${id}`, `/${name}`);
    },
  };
}
export type WebAddresses = ReturnType<typeof createWebAddresses>;

function addressOf(text: string): URL {
  const address = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') throw appError('ADDRESS_REFUSED', {});
  return address;
}

function hashOf(checksum: string): string {
  const hex = checksum.trim().toLowerCase();
  const name = hashOfLength[hex.length];
  if (name === undefined || !/^[0-9a-f]+$/.test(hex)) throw appError('CHECKSUM_REFUSED', {});
  return `${name}:${hex}`;
}
