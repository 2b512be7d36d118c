import { type Invoice, priceText } from '@sheaf/contract';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
const dateText = (at: number): string => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at * 1000);

const style =
  'body{font-family:system-ui,sans-serif;color:#111827;background:#fff;max-width:36rem;margin:3rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:500;color:#6b7280;padding-right:1.5rem}th,td{padding-block:.5rem;border-bottom:1px solid #e5e7eb;vertical-align:top}';

/** Returns the receipt of an invoice as a printable page. */
export function receiptPage({ invoiceId, at, description, amount, currency }: Invoice, paidBy: string, isSandbox: boolean): string {
  const rows = [
    ['Number', invoiceId],
    ['Date', dateText(at)],
    [amount < 0 ? 'Given back to' : 'Paid by', paidBy],
    ['For', description],
    ['Amount', priceText(amount, currency)],
  ];
  const table = rows.map(([name = '', value = '']) => `<tr><th scope="row">${escape(name)}</th><td>${escape(value)}</td></tr>`).join('');
  const note = isSandbox ? '<p>This installation uses the billing sandbox: no money has moved.</p>' : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Receipt ${escape(invoiceId)}</title><style>${style}</style></head><body><h1>Sheaf receipt</h1><table>${table}</table>${note}</body></html>`;
}
