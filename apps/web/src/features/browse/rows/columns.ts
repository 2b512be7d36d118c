/** A column of the list besides the name. */
export type ColumnId = 'size' | 'modified' | 'type';

/** The columns in their order: their titles, and their widths in px. */
export const columns = [
  { id: 'size', title: 'Size', width: 84, least: 64 },
  { id: 'modified', title: 'Modified', width: 132, least: 96 },
  { id: 'type', title: 'Type', width: 120, least: 64 },
] as const satisfies readonly { id: ColumnId; title: string; width: number; least: number }[];
export const widest = 360;

/** Which columns are shown, and how wide. */
export interface Columns {
  readonly shown: readonly ColumnId[];
  readonly widths: Readonly<Record<ColumnId, number>>;
}

const defaults: Columns = { shown: ['size', 'modified'], widths: { size: 84, modified: 132, type: 120 } };

/** Reads stored columns; invalid values get their defaults. */
export function columnsIn(text: string | null): Columns {
  const told = parsed(text);
  const widths = isObject(told['widths']) ? told['widths'] : {};
  const shown = Array.isArray(told['shown']) ? (told['shown'] as unknown[]) : defaults.shown;
  const widthOf = (id: ColumnId): number => {
    const width = widths[id];
    return typeof width === 'number' ? bounded(id, width) : defaults.widths[id];
  };
  return {
    shown: columns.map(({ id }) => id).filter((id) => shown.includes(id)),
    widths: { size: widthOf('size'), modified: widthOf('modified'), type: widthOf('type') },
  };
}

/** The width within what is possible for the column. */
export const bounded = (id: ColumnId, width: number): number =>
  Math.round(Math.min(widest, Math.max(columns.find((column) => column.id === id)?.least ?? 0, width)));

/** The list's columns as a CSS template: tick, icon, name, the chosen ones, menu. */
export const templateOf = ({ shown, widths }: Columns): string =>
  ['28px', '32px', 'minmax(0, 1fr)', ...shown.map((id) => `${widths[id]}px`), '32px'].join(' ');

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parsed(stored: string | null): Record<string, unknown> {
  if (stored === null) return {};
  try {
    const value: unknown = JSON.parse(stored);
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
