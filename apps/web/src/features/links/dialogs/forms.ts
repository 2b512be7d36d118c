import type { Form } from './fields/field.ts';
import { googlecloud, oauth } from './forms/authorized.ts';
import { b2 } from './forms/b2.ts';
import { ftp } from './forms/ftp.ts';
import { ofs } from './forms/ofs.ts';
import { oracledocuments } from './forms/oracledocuments.ts';
import { s3 } from './forms/s3.ts';
import { sftp } from './forms/sftp.ts';
import { sheafgateway } from './forms/sheafgateway.ts';
import { webdav } from './forms/webdav.ts';

const forms: Readonly<Record<Form['family'], Form>> = { s3, ftp, ofs, sftp, webdav, sheafgateway, oracledocuments, b2, oauth, googlecloud };

/** The form of a dialog family, or undefined if it has no connector. */
export function formOf(family: string | undefined): Form | undefined {
  return Object.values(forms).find((form) => form.family === family);
}
