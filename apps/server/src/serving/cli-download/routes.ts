import { type KeyObject, createPublicKey, sign } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { clientOffer, clientSystems } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { isMissingFile } from '#/platform/missing-file.ts';
import { type Offer, posixScript, windowsScript } from './install-scripts.ts';

/** Platforms that the address may name; all get the same package. */
const platforms = new Set(['mac', 'win', 'linux']);

interface Built {
  /** The npm package of the command line. */
  readonly file: string;
  /** Folder of the bundles, which `npm run client` makes; they have a Node of their own. */
  readonly bundles: string;
  /** Signs the checksums: Ed25519. */
  readonly signingKey: () => KeyObject;
}

/**
 * Serves the client for computers. "/downloaddesktop" has the command line's package, which npm installs from this address; an unknown platform redirects
 * to the page for choosing one. Below "/client/" are the bundles that need nothing else, where they are built: scripts that install them, their
 * checksums, and the signature of these. What is not built is left to the web app's page.
 */
export function downloadRoutes(app: FastifyInstance, { file, bundles, signingKey }: Built): void {
  app.get('/downloaddesktop', async (request, reply) => {
    const { platform } = request.query as Readonly<Record<string, string | undefined>>;
    if (platform !== undefined && !platforms.has(platform)) return reply.redirect('/download');
    return sendFile(request, reply, file, 'sheaf-cli.tgz');
  });

  const sums = (): Promise<string | undefined> => textOf(join(bundles, 'SHA256SUMS'));
  const sendText = (reply: FastifyReply, text: string | Buffer | undefined, type = 'text/plain; charset=utf-8'): FastifyReply => {
    if (text === undefined) {
      reply.callNotFound();
      return reply;
    }
    return reply.type(type).header('cache-control', 'no-cache').send(text);
  };
  const offer = async (): Promise<Offer | undefined> => {
    const lines = await sums();
    return lines === undefined ? undefined : { origin: app.publicOrigin, sums: sumsIn(lines) };
  };

  serve(app, clientOffer, async () => {
    const names = [...sumsIn((await sums()) ?? '').keys()];
    return { systems: clientSystems.filter((system) => names.some((name) => name.startsWith(`sheaf-${system}-`))) };
  });
  app.get('/client/install.sh', async (_request, reply) => {
    const offered = await offer();
    return sendText(reply, offered && posixScript(offered));
  });
  app.get('/client/install.ps1', async (_request, reply) => {
    const offered = await offer();
    return sendText(reply, offered && windowsScript(offered));
  });
  app.get('/client/SHA256SUMS', async (_request, reply) => sendText(reply, await sums()));
  app.get('/client/SHA256SUMS.sig', async (_request, reply) => {
    const lines = await sums();
    return sendText(reply, lines === undefined ? undefined : sign(null, Buffer.from(lines), signingKey()), 'application/octet-stream');
  });
  app.get('/client/key.pem', async (_request, reply) =>
    sendText(reply, createPublicKey(signingKey()).export({ type: 'spki', format: 'pem' })),
  );
  app.get<{ Params: { name: string } }>('/client/:name', async (request, reply) => {
    const { name } = request.params;
    // Only what the checksums list: the name comes from outside.
    if (!sumsIn((await sums()) ?? '').has(name)) return reply.callNotFound();
    return sendFile(request, reply, join(bundles, name), name);
  });
}

/** The checksums in the lines of `sha256sum`, by file name. */
const sumsIn = (lines: string): ReadonlyMap<string, string> =>
  new Map([...lines.matchAll(/^([\da-f]{64}) {2}(sheaf-[\w-]+\.tar\.gz)$/gm)].map(([, sum = '', name = '']) => [name, sum]));

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: string, name: string) {
  const size = await sizeOf(file);
  if (size === undefined) return reply.callNotFound();
  return reply
    .type('application/gzip')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-length', size)
    .header('cache-control', 'no-cache')
    .send(request.method === 'HEAD' ? undefined : createReadStream(file));
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
