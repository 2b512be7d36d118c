import { createHash, createPublicKey, verify as verifies } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { reportKey } from '@sheaf/contract';
import { type Command, type Context, exactly, textOption } from '#/command.ts';
import { Failure, messageOf } from '#/failure.ts';
import { recordIn } from '#/json.ts';
import { printable } from '#/names.ts';

/** Contents of a signature file. */
interface Signature {
  readonly fileName: string;
  readonly sha256: string;
  readonly signed: string;
  readonly signature: string;
  readonly publicKey: string;
}
const fields = ['fileName', 'sha256', 'signed', 'signature', 'publicKey'] as const;

export const verify: Command = {
  usage: '[--key FILE] REPORT SIGNATURE',
  about:
    'Checks that the report of a transfer is as your Sheaf signed it. SIGNATURE is the file beside the report on its page. --key takes the public key from a file instead of your Sheaf.',
  options: { key: { type: 'string' } },
  async run(context, args, options) {
    const [report, signatureFile] = exactly(args, 'REPORT', 'SIGNATURE');
    const signature = parseSignature(await read(signatureFile), signatureFile);
    const keyFile = textOption(options, 'key');
    const { key, owner } = keyFile === undefined ? await keyOfServer(context) : { key: await read(keyFile), owner: keyFile };
    const hash = createHash('sha256');
    await pipeline(createReadStream(report), hash).catch((error: unknown) => {
      throw new Failure(`${printable(report)}: ${messageOf(error)}`, 'failed', error);
    });
    if (hash.digest('hex') !== signature.sha256) throw new Failure(`${printable(report)} has changed since it was signed.`);
    if (!isSigned(signature, key)) throw new Failure(`The signature is not one of ${printable(owner)}.`);
    context.terminal.print(`${printable(report)} is as ${printable(owner)} signed it.`);
  },
};

async function keyOfServer({ account, client, signal }: Context): Promise<{ readonly key: string; readonly owner: string }> {
  const { url } = await account();
  return { key: (await (await client()).ask(reportKey, {}, signal)).publicKey, owner: url };
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Failure(`${printable(file)}: ${messageOf(error)}`, 'failed', error);
  }
}

/** Parses a signature as downloaded: the whole answer of the server, or only its data. */
function parseSignature(text: string, file: string): Signature {
  const value = recordIn(text);
  const data = value?.['data'];
  const inner = typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : value;
  if (!inner || fields.some((field) => typeof inner[field] !== 'string'))
    throw new Failure(`${printable(file)} is not the signature of a report.`);
  return inner as unknown as Signature;
}

/** Whether the signature of the line is valid (Ed25519, RFC 8032), and the line states this hash. */
function isSigned({ signed, signature, sha256 }: Signature, key: string): boolean {
  if (!signed.startsWith(`${sha256}  `)) return false;
  try {
    return verifies(null, Buffer.from(signed), createPublicKey(key), Buffer.from(signature, 'base64'));
  } catch {
    // Not a key, or not a signing key.
    return false;
  }
}
