/**
 * `foreign`: not written by a vault; `block`: changed, or written with another key; `cut`: ends too early; `locked`: the file may be fine, but the key was
 * wiped; `replaced`: its content was replaced during the read.
 */
export type Damage = 'foreign' | 'block' | 'cut' | 'locked' | 'replaced';

/** Thrown for a file that the vault cannot decrypt. */
export interface VaultDamage extends Error {
  readonly damage: Damage;
  /** Number of clear bytes before the damage. */
  readonly at: number;
}

export function damaged(damage: Damage, at: number): VaultDamage {
  return Object.assign(new Error(`The file is damaged (${damage}) at byte ${at}.`), { damage, at });
}

export const isDamage = (error: unknown): error is VaultDamage => error instanceof Error && 'damage' in error && 'at' in error;
