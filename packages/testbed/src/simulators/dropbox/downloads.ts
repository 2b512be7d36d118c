import { type Handler, type SimulatedRequest, answerContent } from '../kit/index.ts';
import { smallJpeg } from '../kit/picture.ts';
import { as, under } from './files.ts';
import { toMetadata, untagged } from './metadata.ts';
import { type People, inView } from './people.ts';
import { routeError, union } from './refusals.ts';
import { type File, PathError } from './tree.ts';
import { argOf } from './uploads.ts';

const pictures = /\.(jpe?g|png|tiff?|gif|webp|ppm|bmp)$/i;

/** JSON result in a header, next to the bytes. */
const result = (value: unknown) => ({
  'dropbox-api-result': JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
});

/** Files, exports of documents, and thumbnails. */
export function downloadRoutes(people: People): Record<string, Handler> {
  function fileAt(request: SimulatedRequest, path: string): { readonly file: File; readonly metadata: Readonly<Record<string, unknown>> } {
    const view = people.viewOf(request);
    return under(as('path'), () => {
      const [, rev] = /^rev:([0-9a-f]{9,})$/.exec(path) ?? [];
      if (rev !== undefined) {
        const earlier = view.tree.revision(rev);
        return { file: earlier, metadata: untagged(toMetadata(earlier, `/${earlier.name}`)) };
      }
      const segments = inView(view, path);
      const file = view.tree.find(segments);
      if (file.kind === 'folder') throw new PathError(union('not_file'));
      return { file, metadata: untagged(toMetadata(file, view.tree.display(segments).slice(view.tree.told(view.base).length))) };
    });
  }

  const download: Handler = (request) => {
    const { file, metadata } = fileAt(request, argOf<{ path: string }>(request).path);
    if (file.exportAs !== undefined) throw routeError(union('unsupported_file'));
    return answerContent(request, file.content, { etag: `W/"${file.rev}"`, headers: result(metadata) });
  };

  return {
    'GET /2/files/download': download,
    'POST /2/files/download': download,
    'GET /2/files/export': (request) => {
      const { file, metadata } = fileAt(request, argOf<{ path: string }>(request).path);
      if (file.exportAs === undefined) throw routeError(union('non_exportable'));
      const { content, name, exportAs } = file;
      const export_metadata = { name: `${name}.${exportAs}`, size: content.size, export_hash: content.hashes.content };
      return answerContent(request, content, { headers: result({ export_metadata, file_metadata: metadata }) });
    },
    'GET /2/files/get_thumbnail_v2': (request) => {
      const { resource } = argOf<{ resource: { path: string } }>(request);
      const { file, metadata } = fileAt(request, resource.path);
      if (!pictures.test(file.name)) throw routeError(union('unsupported_extension'));
      if (file.content.size > 20 * 1024 * 1024) throw routeError(union('unsupported_image'));
      return { bytes: smallJpeg, headers: { ...result({ file_metadata: metadata }), 'content-type': 'application/octet-stream' } };
    },
  };
}
