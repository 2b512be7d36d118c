import type { OfficeSection } from '@sheaf/contract';
import { type Room, mostSections } from './office-room.ts';
import { type Part, type Step, readXml } from './office-xml.ts';

/** Elements of paragraphs and white space in WordprocessingML, DrawingML and OpenDocument (ECMA-376, OASIS ODF 1.3). */
const paragraphs: ReadonlySet<string> = new Set(['p', 'h']);
const texts: ReadonlySet<string> = new Set(['t']);
const breaks: Readonly<Record<string, string>> = { tab: '\t', br: '\n', cr: '\n', 'line-break': '\n' };
/** Names and comments of OpenDocument, which are not shown. */
const hidden: ReadonlySet<string> = new Set(['annotation', 'tracked-changes', 'notes', 'instrText', 'delText']);

/** Paragraphs of a part: for OOXML the texts of its runs, for OpenDocument all text in paragraphs. `page` names the element that begins a section. */
export async function wordsOf(
  part: Part,
  room: Room,
  { isOpenDocument, page }: { isOpenDocument: boolean; page?: string },
): Promise<OfficeSection[]> {
  const sections: OfficeSection[] = [];
  let current: OfficeSection = { title: '', rows: [] };
  const begin = (title: string): void => {
    if (current.rows.length > 0) sections.push(current);
    current = { title: room.title(title), rows: [] };
  };
  let inParagraph = 0;
  let inText = 0;
  let skipped = 0;
  let line = '';
  await readXml(part, room, {
    open({ name, attributes }: Step) {
      if (hidden.has(name)) skipped++;
      if (skipped > 0) return;
      if (name === page) begin(attributes['draw:name'] ?? '');
      if (paragraphs.has(name)) inParagraph++;
      if (texts.has(name)) inText++;
      line += breaks[name] ?? '';
      if (name === 's' && isOpenDocument) line += ' '.repeat(Math.min(100, Number(attributes['text:c'] ?? 1) || 1));
    },
    text(text) {
      if (skipped === 0 && (isOpenDocument ? inParagraph > 0 : inText > 0)) line += text;
    },
    close(name) {
      if (hidden.has(name)) skipped--;
      if (skipped > 0) return;
      if (texts.has(name)) inText--;
      if (!paragraphs.has(name)) return;
      inParagraph--;
      if (inParagraph > 0) return;
      if (line.trim() !== '' && room.takes(line.length)) current.rows.push([line]);
      line = '';
    },
    isDone: () => !room.has(line.length) || sections.length > mostSections,
  });
  if (!room.has(line.length)) room.takes(line.length);
  begin('');
  return sections;
}
