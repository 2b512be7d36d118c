/** A line of a table by RFC 4180. A cell that a spreadsheet would run as a formula gets an apostrophe in front. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** Beginnings of formulas: https://owasp.org/www-community/attacks/CSV_Injection */
const formula = /^\s*[=+\-@\t\r＝＋－＠]/u;

function cell(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
