import { createHash, createPublicKey, sign } from 'node:crypto';
import type { ReplyOf, transferSignature } from '@sheaf/contract';
import type { Vault } from '#/secrets/vault.ts';

export type ReportSigner = (fileName: string, lines: AsyncIterable<string>) => Promise<ReplyOf<typeof transferSignature>>;

/** Signs reports: the line that `sha256sum` prints for one, so that its own tools and `openssl pkeyutl -verify -rawin` can check both. */
export const createReportSigner =
  (vault: Pick<Vault, 'signingKey'>): ReportSigner =>
  async (fileName, lines) => {
    const hash = createHash('sha256');
    for await (const text of lines) hash.update(text);
    const sha256 = hash.digest('hex');
    const signed = `${sha256}  ${fileName}\n`;
    const key = vault.signingKey('transfer reports');
    return {
      fileName,
      sha256,
      signed,
      signature: sign(null, Buffer.from(signed), key).toString('base64'),
      publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }),
    };
  };
