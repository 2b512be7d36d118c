import { randomBytes } from 'node:crypto';
import { type Description, type Handler, type SimulatedRequest, answerContent, startSimulator } from '../kit/index.ts';
import { smallJpeg } from '../kit/picture.ts';
import { no, refusal } from './refusals.ts';
import type { BoxState, Bytes, File } from './state.ts';

const bytes = { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } };
/** The download host: redirect target with short-lived URLs and without tokens. */
const description: Description = {
  paths: {
    '/d/1/{ticket}/download': {
      get: {
        parameters: [{ name: 'ticket', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: bytes, 206: bytes, 416: {}, default: {} },
      },
    },
  },
};
/** Lifetime of a URL in ms. */
const ticketTime = 15 * 60_000;

const missing = (): never => {
  throw no(404, 'not_found');
};

const pictures = /\.(jpe?g|png|gif|tiff?|bmp|webp)$/i;

export interface DownloadState {
  /** Number of downloads that Box still has to prepare. */
  preparing: number;
  readonly tickets: Map<string, { readonly content: Bytes; readonly until: number }>;
}

/** The host that downloads are redirected to. */
export const startDownloadHost = (state: DownloadState) =>
  startSimulator({
    name: 'box downloads',
    refusal,
    mounts: [
      {
        at: '',
        description,
        open: 'all',
        routes: {
          'GET /d/1/{ticket}/download': (request) => {
            if (request.headers.authorization !== undefined) throw new Error('the token came to a host that must not see it');
            const ticket = state.tickets.get(request.params['ticket'] ?? '');
            if (!ticket || ticket.until <= Date.now()) throw no(404, 'not_found');
            return answerContent(request, ticket.content);
          },
        },
      },
    ],
  });

/** Files and thumbnails. */
export function downloadRoutes(
  stateOf: (request: SimulatedRequest) => BoxState,
  state: DownloadState,
  host: () => string,
): Record<string, Handler> {
  /** Versions whose thumbnail was requested before. */
  const pictured = new Set<string>();
  const fileOf = (request: SimulatedRequest): File => stateOf(request).find(request.params['file_id'] ?? '', 'file') as File;

  return {
    'GET /files/{file_id}/content': (request) => {
      const file = fileOf(request);
      const version = request.query.get('version');
      const { content } = version === null || version === file.version ? file : (file.earlier.get(version) ?? missing());
      if (state.preparing > 0) {
        state.preparing -= 1;
        return { status: 202, headers: { 'retry-after': '1' } };
      }
      const ticket = randomBytes(24).toString('base64url');
      state.tickets.set(ticket, { content, until: Date.now() + ticketTime });
      return { redirect: `${host()}/d/1/${ticket}/download` };
    },
    'GET /files/{file_id}/thumbnail.{extension}': (request) => {
      const { name, version } = fileOf(request);
      if (!pictures.test(name)) return { redirect: `${host()}/sign-for-files-without-pictures` };
      if (!pictured.has(version)) {
        pictured.add(version);
        return { status: 202, headers: { 'retry-after': '1', location: `${host()}/sign-for-pictures-to-come` } };
      }
      return { bytes: smallJpeg, headers: { 'content-type': 'image/jpg' } };
    },
  };
}
