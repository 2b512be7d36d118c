import { createHash, createPublicKey, sign } from 'node:crypto';
import type { ReplyOf, transferSignature } from '@sheaf/contract';
import type { Vault } from '#/secrets/vault.ts';

export type ReportSigner = ReturnType<typeof createReportSigner>;

/** Signs reports: the line that `sha256sum` prints for one, so that its own tools and `openssl pkeyutl -verify -rawin` can check both. */
export function createReportSigner(vault: Pick<Vault, 'signingKey'>) {
  const signingKey = () => vault.signingKey('transfer reports');
  /** The public key, as PEM. */
  const publicKey = (): string => createPublicKey(signingKey()).export({ type: 'spki', format: 'pem' });
  return {
    publicKey,
    async sign(fileName: string, lines: AsyncIterable<string>): Promise<ReplyOf<typeof transferSignature>> {
      const hash = createHash('sha256');
      for await (const text of lines) hash.update(text);
      const sha256 = hash.digest('hex');
      const signed = `${sha256}  ${fileName}\n`;
      const signature = sign(null, Buffer.from(signed), signingKey()).toString('base64');
      return { fileName, sha256, signed, signature, publicKey: publicKey() };
    },
  };
}
