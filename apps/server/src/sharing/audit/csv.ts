/** A line of a table as RFC 4180 has it. A cell that a spreadsheet would run as a formula is made text by an apostrophe before it. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** What starts a formula: https://owasp.org/www-community/attacks/CSV_Injection */
const formula = /^\s*[=+\-@\t\r＝＋－＠]/u;

function cell(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
