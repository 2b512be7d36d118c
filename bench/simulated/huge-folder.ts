/**
 * A process of its own with a WebDAV server whose folder `many` has as many files as the first argument says, made up as they are sent; the second says how
 * many such folders there are: `many-1`, `many-2`, …, each with other names. Tells its parent the port.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

const count = Number(process.argv[2]);
const folderCount = Number(process.argv[3] ?? '1');
const folders = ['/many', ...Array.from({ length: folderCount - 1 }, (_, at) => `/many-${at + 1}`)];
const rowsAtOnce = 200;
/** Asked for as a path, it makes every hundredth file look changed from then on. */
const changePath = '/change';
let changes = 0;

const head = '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n';
const response = (href: string, properties: string): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${properties}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n`;
const folderRow = (href: string): string =>
  response(href, '<D:resourcetype><D:collection/></D:resourcetype><D:getlastmodified>Mon, 12 Jan 2026 09:00:00 GMT</D:getlastmodified>');

function fileRow(folder: string, at: number): string {
  const digest = createHash('md5').update(String(at)).digest();
  const modified = new Date(1_600_000_000_000 + (digest.readUInt32BE(4) % 200_000_000) * 1000).toUTCString();
  const size = digest.readUInt32BE(8) + (at % 100 === 0 ? changes : 0);
  return response(
    `${folder}/img-${digest.toString('hex', 0, 6)}-${at}.jpg`,
    `<D:resourcetype/><D:getcontentlength>${size}</D:getcontentlength><D:getlastmodified>${modified}</D:getlastmodified><D:getetag>"${digest.toString('hex', 10)}"</D:getetag>`,
  );
}

async function* manyRows(folder: string): AsyncGenerator<string> {
  yield head + folderRow(`${folder}/`);
  const first = folders.indexOf(folder) * count;
  for (let at = 0; at < count;) {
    let rows = '';
    for (const end = Math.min(count, at + rowsAtOnce); at < end; at++) rows += fileRow(folder, first + at);
    yield rows;
  }
  yield '</D:multistatus>\n';
}

const server = createServer((request, answer) => {
  request.resume();
  const path = (request.url ?? '/').replace(/\/$/, '');
  if (path === changePath) {
    changes++;
    answer.end();
  } else if (request.method === 'OPTIONS') {
    answer.writeHead(200, { dav: '1', allow: 'OPTIONS, PROPFIND, GET', 'content-length': 0 }).end();
  } else if (request.method !== 'PROPFIND' || (path !== '' && !folders.includes(path))) {
    answer.writeHead(404, { 'content-length': 0 }).end();
  } else {
    answer.writeHead(207, { 'content-type': 'application/xml; charset=utf-8' });
    const isDeep = request.headers.depth !== '0';
    if (path !== '' && isDeep) pipeline(() => manyRows(path), answer).catch((error: unknown) => console.error(error));
    else
      answer.end(
        `${head}${folderRow(`${path}/`)}${path === '' && isDeep ? folders.map((folder) => folderRow(`${folder}/`)).join('') : ''}</D:multistatus>\n`,
      );
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
