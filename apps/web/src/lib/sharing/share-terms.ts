import type { createWeblink } from '@sheaf/contract';
import type { Payload } from '#/lib/http/send.ts';

/** Password, expiration and further choices of a share. */
export type ShareTermsChosen = Omit<Payload<typeof createWeblink>, 'linkUri' | 'sealed'>;

/** Fields for them; undefined while they cannot be used. */
export interface ShareTermsProps {
  readonly onChange: (terms: ShareTermsChosen | undefined) => void;
}
