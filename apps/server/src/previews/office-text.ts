import { posix } from 'node:path';
import { isKind } from '@sheaf/connectors';
import { type OfficeSection, type OfficeText, appError } from '@sheaf/contract';
import type { OpenFile } from '#/content/files.ts';
import { type OpenZip, openZip } from './archives.ts';
import { cellsOf, sharedTexts, sheetsOf, tablesOf, targetsOf } from './office-cells.ts';
import { wordsOf } from './office-words.ts';
import { NotAZipError } from './zip-directory.ts';
import { readZipEntry } from './zip-entry.ts';

/** Slides or sheets, and characters of all of them, that are shown at most. */
const most = { sections: 100, characters: 500_000 } as const;

/**
 * The text of an office document (docx, xlsx, pptx, odt, ods, odp), read from the few parts of the file that hold it: without its looks, without
 * pictures, and nothing in it is run or fetched. Rejects with NO_TEXT for what is none, is enciphered or damaged.
 */
export async function officeTextOf(file: OpenFile, signal: AbortSignal): Promise<OfficeText> {
  try {
    return within(await sectionsOf(await openZip(file, signal)));
  } catch (error) {
    if (error instanceof NotAZipError || isKind(error, 'unexpected', 'interrupted')) throw appError('NO_TEXT', { name: file.name }, error);
    throw error;
  }
}

async function sectionsOf(zip: OpenZip): Promise<OfficeSection[]> {
  const part = (path: string) => readZipEntry(zip, path);
  const words = await part('word/document.xml');
  if (words) return wordsOf(words, { isOpenDocument: false });
  const workbook = await part('xl/workbook.xml');
  if (workbook) return sheets(part, workbook);
  const slides = slidePaths(zip);
  if (slides.length > 0) {
    const pages = await Promise.all(slides.map(async (path) => wordsOf((await part(path)) ?? empty, { isOpenDocument: false })));
    return pages.map((page, index) => ({ title: `Slide ${index + 1}`, rows: page.flatMap(({ rows }) => rows) }));
  }
  const content = await part('content.xml');
  if (!content) throw new NotAZipError();
  const type = (await part('mimetype'))?.toString('latin1') ?? '';
  if (type.includes('spreadsheet')) return tablesOf(content);
  return wordsOf(content, { isOpenDocument: true, ...(type.includes('presentation') && { page: 'page' }) });
}

const empty = Buffer.from('<empty/>');

async function sheets(part: (path: string) => Promise<Buffer | undefined>, workbook: Buffer): Promise<OfficeSection[]> {
  const targets = targetsOf((await part('xl/_rels/workbook.xml.rels')) ?? empty);
  const shared = sharedTexts((await part('xl/sharedStrings.xml')) ?? empty);
  const sections: OfficeSection[] = [];
  for (const { name, id } of sheetsOf(workbook).slice(0, most.sections)) {
    const target = targets.get(id) ?? '';
    // A target is relative to the workbook, or begins at the file's root.
    const bytes = await part(target.startsWith('/') ? target.slice(1) : posix.join('xl', target));
    sections.push({ title: name, rows: bytes ? cellsOf(bytes, shared) : [] });
  }
  return sections;
}

/** Slides in the order of their numbers. */
function slidePaths({ directory }: OpenZip): string[] {
  const numbered = directory.entries.flatMap(({ path }) => {
    const number = /^ppt\/slides\/slide(\d+)\.xml$/.exec(path)?.[1];
    return number === undefined ? [] : [{ path, number: Number(number) }];
  });
  return numbered
    .toSorted((a, b) => a.number - b.number)
    .slice(0, most.sections)
    .map(({ path }) => path);
}

function within(sections: readonly OfficeSection[]): OfficeText {
  let room: number = most.characters;
  let isCut = sections.length > most.sections;
  const kept = sections.slice(0, most.sections).map(({ title, rows }) => {
    const fitting: string[][] = [];
    for (const row of rows) {
      room -= row.reduce((length, cell) => length + cell.length, 0);
      if (room < 0) {
        isCut = true;
        break;
      }
      fitting.push(row);
    }
    return { title, rows: fitting };
  });
  return { sections: kept, isCut };
}
