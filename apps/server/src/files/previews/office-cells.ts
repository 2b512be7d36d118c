import type { OfficeSection } from '@sheaf/contract';
import { type Room, mostSections } from './office-room.ts';
import { type Part, readXml } from './office-xml.ts';

/** Most rows and columns of a sheet that are shown. */
const most = { rows: 500, columns: 50 } as const;

/** Shared strings of SpreadsheetML, by index (ECMA-376, 18.4.8). */
export async function sharedTexts(part: Part, room: Room): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let inText = false;
  await readXml(part, room, {
    open({ name }) {
      if (name === 'si') text = '';
      if (name === 't') inText = true;
    },
    text(more) {
      if (inText) text += more;
    },
    close(name) {
      if (name === 't') inText = false;
      if (name === 'si') texts.push(text);
    },
  });
  return texts;
}

/** Sheets of a workbook in order: names, and ids of their parts (18.2.20). */
export async function sheetsOf(workbook: Part, room: Room): Promise<{ name: string; id: string }[]> {
  const sheets: { name: string; id: string }[] = [];
  await readXml(workbook, room, {
    open({ name, attributes }) {
      if (name === 'sheet') sheets.push({ name: room.title(attributes['name'] ?? ''), id: attributes['r:id'] ?? '' });
    },
    isDone: () => sheets.length > mostSections,
  });
  return sheets;
}

/** Targets of a part's relationships by id. */
export async function targetsOf(relationships: Part, room: Room): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  await readXml(relationships, room, {
    open({ name, attributes }) {
      if (name === 'Relationship') targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '');
    },
  });
  return targets;
}

/** The first rows and columns of a worksheet as text (18.3). */
export async function cellsOf(sheet: Part, shared: readonly string[], room: Room): Promise<string[][]> {
  const rows: string[][] = [];
  let row: string[] = [];
  let column = 0;
  let type = '';
  let value = '';
  let inValue = false;
  await readXml(sheet, room, {
    open({ name, attributes }) {
      if (name === 'row') [row, column] = [[], -1];
      if (name === 'c') {
        column = columnOf(attributes['r']) ?? column + 1;
        [type, value] = [attributes['t'] ?? 'n', ''];
      }
      if (name === 'v' || name === 't') inValue = true;
    },
    text(more) {
      if (inValue) value += more;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      if (name === 'c' && column < most.columns && value !== '') {
        while (row.length < column) row.push('');
        row[column] = type === 's' ? (shared[Number(value)] ?? '') : type === 'b' ? (value === '1' ? 'TRUE' : 'FALSE') : value;
      }
      if (name === 'row' && row.length > 0 && rows.length < most.rows && room.takes(lengthOf(row))) rows.push(row);
    },
    isDone: () => rows.length >= most.rows,
  });
  return rows;
}

const lengthOf = (row: readonly string[]): number => row.reduce((length, cell) => length + cell.length, 0);

/** "AB12" → 27. */
function columnOf(reference: string | undefined): number | undefined {
  const mails = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1];
  if (mails === undefined) return undefined;
  return [...mails].reduce((number, content) => number * 26 + content.charCodeAt(0) - 64, 0) - 1;
}

/** Sheets of an OpenDocument spreadsheet (ODF 1.3, part 3, 9.1). Repeated cells are expanded, except empty ones at the end. */
export async function tablesOf(content: Part, room: Room): Promise<OfficeSection[]> {
  const sections: OfficeSection[] = [];
  let row: string[] = [];
  let cell = '';
  let repeats = 1;
  let depth = 0;
  await readXml(content, room, {
    open({ name, attributes }) {
      if (name === 'table') sections.push({ title: room.title(attributes['table:name'] ?? ''), rows: [] });
      if (name === 'table-row') row = [];
      if (name === 'table-cell' || name === 'covered-table-cell') {
        cell = '';
        repeats = Math.min(most.columns, Number(attributes['table:number-columns-repeated'] ?? 1) || 1);
      }
      if (name === 'p') depth++;
    },
    text(text) {
      if (depth > 0) cell += text;
    },
    close(name) {
      if (name === 'p') depth--;
      if (name === 'table-cell' || name === 'covered-table-cell') {
        for (let count = 0; count < repeats && row.length < most.columns; count++) row.push(cell);
      }
      if (name !== 'table-row') return;
      const cells = row.slice(0, row.findLastIndex((each) => each !== '') + 1);
      const rows = sections.at(-1)?.rows;
      if (rows && cells.length > 0 && rows.length < most.rows && room.takes(lengthOf(cells))) rows.push(cells);
    },
    isDone: () => sections.length > mostSections,
  });
  return sections;
}
