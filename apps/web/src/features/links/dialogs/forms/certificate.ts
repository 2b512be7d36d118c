import { certificateRules } from '@sheaf/contract';
import type { Values } from '#/features/links/dialogs/fields/field.ts';

/** The trusted certificate, unless the link requires a valid one. */
export function acceptedCertificate({ enforceSSL, acceptedCertificate: accepted = '' }: Values): Record<string, string> {
  return enforceSSL === certificateRules.ignore && accepted !== '' ? { acceptedCertificate: accepted } : {};
}
