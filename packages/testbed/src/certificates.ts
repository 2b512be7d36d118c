import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** Paths of a server's certificate as PEM files. */
export interface CertificateFiles {
  readonly key: string;
  readonly certificate: string;
}

/** A key with its certificate: files for server programs, PEM text for in-process servers. */
export interface Certificate extends CertificateFiles {
  readonly pem: { readonly key: string; readonly certificate: string };
}

/** A private certificate authority. */
export interface Authority {
  /** As PEM text. */
  readonly pem: { readonly key: string; readonly certificate: string };
  /** PEM file of its certificate, such as for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string;
}

const day = 24 * 60 * 60 * 1000;
const elliptic = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** A folder for all files of this process, deleted at exit. */
const files = { path: '', count: 0 };

async function written(pem: string): Promise<string> {
  if (files.path === '') {
    files.path = mkdtempSync(join(tmpdir(), 'sheaf-certificates-'));
    process.once('exit', () => rmSync(files.path, { recursive: true, force: true }));
  }
  files.count += 1;
  const path = join(files.path, `${files.count}.pem`);
  await writeFile(path, pem, { mode: 0o600 });
  return path;
}

/** Creates an untrusted authority. */
export async function makeAuthority(): Promise<Authority> {
  const made = await generate([{ name: 'commonName', value: 'Sheaf testbed authority' }], {
    ...elliptic,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { pem: { key: made.private, certificate: made.cert }, certificate: await written(made.cert) };
}

/** Creates a certificate for a host name or address, signed by the authority, or self-signed without one. */
export async function certificateFor(
  host: string,
  authority?: Authority,
  { expired = false }: { readonly expired?: boolean } = {},
): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: host }], {
    ...elliptic,
    ...(authority && { ca: { key: authority.pem.key, cert: authority.pem.certificate } }),
    notBeforeDate: new Date(Date.now() - (expired ? 60 : 1) * day),
    notAfterDate: new Date(Date.now() + (expired ? -30 : 30) * day),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'subjectAltName', altNames: [isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host }] },
    ],
  });
  return {
    key: await written(made.private),
    certificate: await written(made.cert),
    pem: { key: made.private, certificate: made.cert },
  };
}
