import { posix } from 'node:path';
import { createLimiter, isKind } from '@sheaf/connectors';
import { type OfficeSection, type OfficeText, appError } from '@sheaf/contract';
import type { OpenFile } from '#/files/bodies/files.ts';
import { type OpenZip, openZip } from './archives.ts';
import { cellsOf, sharedTexts, sheetsOf, tablesOf, targetsOf } from './office-cells.ts';
import { type Room, createRoom, mostSections } from './office-room.ts';
import { wordsOf } from './office-words.ts';
import type { Part } from './office-xml.ts';
import { NotAZipError } from './zip-directory.ts';
import { readZipEntry } from './zip-entry.ts';

/** Most documents read concurrently: each takes some megabytes. */
const limiter = createLimiter(4);
/** Timeout per document in milliseconds: a slow source must not delay the others. */
const deadline = 60_000;

/**
 * The text of an office document (docx, xlsx, pptx, odt, ods, odp), read from the few parts of the file that contain it: without layout and pictures,
 * and nothing in it is run or fetched. Rejects with NO_TEXT for other, encrypted or damaged files, and with SOURCE_TIMEOUT.
 */
export const officeTextOf = (file: OpenFile, signal: AbortSignal): Promise<OfficeText> =>
  limiter.run(signal, async () => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(deadline)]);
    try {
      const room = createRoom();
      const sections = await sectionsOf(await openZip(file, ended), room);
      return { sections: sections.slice(0, mostSections), isCut: room.isFull() || sections.length > mostSections };
    } catch (error) {
      if (error instanceof NotAZipError || isKind(error, 'unexpected', 'interrupted'))
        throw appError('NO_TEXT', { name: file.name }, error);
      if (ended.aborted && !signal.aborted) throw appError('SOURCE_TIMEOUT', { provider: file.provider }, error);
      throw error;
    }
  });

async function sectionsOf(zip: OpenZip, room: Room): Promise<OfficeSection[]> {
  const part = (path: string) => readZipEntry(zip, path);
  const words = await part('word/document.xml');
  if (words) return wordsOf(words, room, { isOpenDocument: false });
  const workbook = await part('xl/workbook.xml');
  if (workbook) return sheets(part, workbook, room);
  const slides = slidePaths(zip);
  if (slides.length > 0) {
    const sections: OfficeSection[] = [];
    for (const [index, path] of slides.entries()) {
      if (room.isFull()) break;
      const pages = await wordsOf(await part(path), room, { isOpenDocument: false });
      sections.push({ title: `Slide ${index + 1}`, rows: pages.flatMap(({ rows }) => rows) });
    }
    return sections;
  }
  const content = await part('content.xml');
  if (!content) throw new NotAZipError();
  const type = await beginningOf(await part('mimetype'));
  if (type.includes('spreadsheet')) return tablesOf(content, room);
  return wordsOf(content, room, { isOpenDocument: true, ...(type.includes('presentation') && { page: 'page' }) });
}

async function sheets(part: (path: string) => Promise<Part>, workbook: Part, room: Room): Promise<OfficeSection[]> {
  const listed = await sheetsOf(workbook, room);
  const targets = await targetsOf(await part('xl/_rels/workbook.xml.rels'), room);
  const shared = await sharedTexts(await part('xl/sharedStrings.xml'), room);
  const sections: OfficeSection[] = [];
  for (const { name, id } of listed) {
    if (room.isFull()) break;
    const target = targets.get(id) ?? '';
    // A target is relative to the workbook, or absolute.
    const bytes = await part(target.startsWith('/') ? target.slice(1) : posix.join('xl', target));
    sections.push({ title: name, rows: await cellsOf(bytes, shared, room) });
  }
  return sections;
}

async function beginningOf(part: Part): Promise<string> {
  for await (const piece of part ?? []) return Buffer.from(piece).toString('latin1');
  return '';
}

/** Slides in the order of their numbers. */
function slidePaths({ directory }: OpenZip): string[] {
  const numbered = directory.entries.flatMap(({ path }) => {
    const number = /^ppt\/slides\/slide(\d+)\.xml$/.exec(path)?.[1];
    return number === undefined ? [] : [{ path, number: Number(number) }];
  });
  return numbered
    .toSorted((a, b) => a.number - b.number)
    .slice(0, mostSections + 1)
    .map(({ path }) => path);
}
