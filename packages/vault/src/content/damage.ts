/**
 * `foreign`: not written by a vault; `block`: changed, or written with another key; `cut`: it ends too early; `locked`: not the file, but the key is gone;
 * `replaced`: another content took its place while it was read.
 */
export type Damage = 'foreign' | 'block' | 'cut' | 'locked' | 'replaced';

/** A file that cannot be read as what the vault wrote. */
export interface VaultDamage extends Error {
  readonly damage: Damage;
  /** Bytes of the clear file before the damage. */
  readonly at: number;
}

export function damaged(damage: Damage, at: number): VaultDamage {
  return Object.assign(new Error(`The file is damaged (${damage}) at byte ${at}.`), { damage, at });
}

export const isDamage = (error: unknown): error is VaultDamage => error instanceof Error && 'damage' in error && 'at' in error;
