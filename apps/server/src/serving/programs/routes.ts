import { linkUriOf, programAddresses } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { hostOf } from '#/platform/http/network.ts';
import { serve } from '#/platform/http/serve.ts';
import type { Windows } from './windows.ts';

/** Tells where programs find links. */
export function programRoutes(
  app: FastifyInstance,
  { windows, publicUrl, sftp }: { readonly windows: Windows; readonly publicUrl: string; readonly sftp: { port(): number | undefined } },
): void {
  serve(app, programAddresses, async ({ userId, input: { userLinkId } }) => {
    const { name, bucket } = await windows.placeOf(userId, userLinkId);
    const port = sftp.port();
    return {
      linkName: name,
      linkUri: linkUriOf(userLinkId, '/'),
      dav: `${publicUrl}/dav/${encodeURIComponent(name)}/`,
      s3: { endpoint: `${publicUrl}/s3`, bucket },
      ...(port !== undefined && { sftp: { host: hostOf(publicUrl), port, folder: `/${name}` } }),
    };
  });
}
