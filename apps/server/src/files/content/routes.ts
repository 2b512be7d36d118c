import {
  addFolder,
  addOrgFolder,
  appError,
  archiveDirectory,
  deleteObject,
  deleteOrgObject,
  download,
  folderSizes,
  getMetadata,
  getMore,
  officeText,
  remoteUpdate,
  renameObject,
  renameOrgObject,
  resolvePath,
  thumbnail,
  upload,
  uploadProgress,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { sendFile } from '#/files/bodies/send-file.ts';
import { announcedSize, discardRest, uploadBody } from '#/files/bodies/upload-body.ts';
import { officeTextOf } from '#/files/previews/office-text.ts';
import { serve } from '#/platform/http/serve.ts';
import type { Content } from './service.ts';
import { sendThumbnail } from './thumbnails.ts';

/** The organisation's variants name the membership. */
function asMember<Input extends { readonly memberOid: string }>(input: Input): Input {
  if (input.memberOid === '') throw appError('MISSING_PARAMETER', {});
  return input;
}

/** Routes of `contract/content.ts`. */
export function contentRoutes(app: FastifyInstance, content: Content): void {
  serve(app, remoteUpdate, ({ userId, input, signal }) => content.firstPage(userId, input, signal));
  serve(app, getMore, ({ userId, input, signal }) => content.page(userId, input, signal));
  serve(app, resolvePath, ({ userId, input, signal }) => content.resolve(userId, input, signal));
  serve(app, getMetadata, ({ userId, input, signal }) => content.metadata(userId, input, signal));
  serve(app, folderSizes, ({ userId, input }) => content.folderSizes(userId, input));
  serve(app, addFolder, ({ userId, input, signal }) => content.addFolder(userId, input, signal));
  serve(app, renameObject, ({ userId, input, signal }) => content.rename(userId, input, signal));
  serve(app, deleteObject, ({ userId, input, signal }) => content.remove(userId, input, signal));
  serve(app, addOrgFolder, ({ userId, input, signal }) => content.addFolder(userId, asMember(input), signal));
  serve(app, renameOrgObject, ({ userId, input, signal }) => content.rename(userId, asMember(input), signal));
  serve(app, deleteOrgObject, ({ userId, input, signal }) => content.remove(userId, asMember(input), signal));
  serve(app, upload, async ({ userId, input, request, reply, signal }) => {
    try {
      return await content.upload(userId, { ...input, ...announcedSize(request.headers) }, uploadBody(request.raw), signal);
    } catch (error) {
      discardRest(request.raw, reply);
      throw error;
    }
  });
  serve(app, uploadProgress, ({ userId, input }) => Promise.resolve({ uploads: content.uploadProgress(userId, input.uploadIds) }));
  serve(app, archiveDirectory, ({ userId, input, signal }) => content.archive(userId, input, signal));
  serve(app, officeText, async ({ userId, input, signal }) => officeTextOf(await content.openFile(userId, input.linkUri), signal));
  serve(app, thumbnail, async ({ userId, input, request, reply, signal }) =>
    sendThumbnail(await content.openThumbnail(userId, input, signal), request, reply),
  );
  serve(app, download, async ({ userId, input, request, reply, signal }) =>
    sendFile(await content.openFile(userId, input.linkUri), input, { request, reply, signal }),
  );
}
