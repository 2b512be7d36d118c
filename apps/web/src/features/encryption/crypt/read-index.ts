import { type ShareIndex, type Vault, headerSize, isDamage, readShareIndex } from '@sheaf/vault';
import { unreadable } from './open-range.ts';

/** Maximum size of an index, in bytes; enough for about 300,000 items. */
const mostBytes = 64 * 1024 * 1024;

/** Fetches and decrypts the index of a share; undefined if the keys are wrong. Throws VaultDamage for a damaged index. */
export async function readIndex(vault: Vault, address: string): Promise<ShareIndex | undefined> {
  const response = await fetch(address);
  if (!response.ok || response.body === null) throw await unreadable(response);
  const size = Number(response.headers.get('content-length'));
  if (size > mostBytes) {
    await response.body.cancel();
    throw new Error('The index is too large.');
  }
  const sealed = new Uint8Array(await response.arrayBuffer());
  const nonce = vault.nonceOf(sealed.subarray(0, headerSize));
  const text = new TextDecoder();
  let json = '';
  try {
    const whole = { size: sealed.length, nonce, start: 0, end: Infinity };
    for await (const piece of vault.files.read(() => once(sealed.subarray(headerSize)), whole))
      json += text.decode(piece, { stream: true });
  } catch (error) {
    if (isDamage(error) && error.damage === 'block' && error.at === 0) return undefined;
    throw error;
  }
  return readShareIndex(json + text.decode());
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
