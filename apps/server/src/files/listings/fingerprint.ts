import type { Entry } from '@sheaf/connectors';

/** Identifies a folder's listing, independent of the order of its entries. */
export interface Fingerprint {
  add(entry: Entry): void;
  /** Equal for two listings of the same entries. */
  text(): string;
}

/** Sum of two independent 32-bit FNV-1a hashes of every entry: 64 bits, enough against accidental collisions. */
export function createFingerprint(): Fingerprint {
  let count = 0;
  let low = 0;
  let high = 0;
  return {
    add({ name, kind, size = -1, modified = -1, etag = '', mimeType = '' }) {
      const text = `${name}/${kind === 'file' ? 1 : 0}/${size}/${modified}/${etag}/${mimeType}`;
      let a = 0x811c9dc5;
      let b = 0x7ee3623b;
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        a = Math.imul(a ^ unit, 0x01000193);
        b = Math.imul(b ^ unit, 0x0100_019d);
      }
      count++;
      low = (low + a) | 0;
      high = (high + b) | 0;
    },
    text: () => `${count}.${(low >>> 0).toString(36)}.${(high >>> 0).toString(36)}`,
  };
}
