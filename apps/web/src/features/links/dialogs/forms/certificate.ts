import { certificateRules } from '@sheaf/contract';
import type { Values } from '#/features/links/dialogs/fields/field.ts';

/** The certificate that the user has trusted, as long as the link does not ask for a valid one. */
export function acceptedCertificate({ enforceSSL, acceptedCertificate: accepted = '' }: Values): Record<string, string> {
  return enforceSSL === certificateRules.ignore && accepted !== '' ? { acceptedCertificate: accepted } : {};
}
