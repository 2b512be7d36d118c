import { versionDownload } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { sendFile } from '#/files/bodies/send-file.ts';
import type { createFileVersions } from '#/files/changes/versions.ts';
import { serve } from '#/platform/http/serve.ts';

/** The bytes of earlier contents of files. */
export function versionRoutes(
  app: FastifyInstance,
  { fileVersions }: { readonly fileVersions: ReturnType<typeof createFileVersions> },
): void {
  serve(app, versionDownload, async ({ userId, input, request, reply, signal }) =>
    sendFile(await fileVersions.open(userId, input, signal), input, { request, reply, signal }),
  );
}
