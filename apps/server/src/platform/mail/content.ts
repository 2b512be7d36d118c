import type { Mail } from './mailer.ts';

export type MailContent = Omit<Mail, 'to'>;

/** Content of a mail; all share one layout, as text and as HTML. */
interface Parts {
  readonly subject: string;
  readonly greeting: string;
  readonly lines: readonly string[];
  readonly action?: { readonly title: string; readonly link: string };
  readonly ending: string;
}

/** Builds a mail in the common layout. Names may hold anything: line breaks and tags in them are escaped. */
export function content({ subject, greeting, lines, action, ending }: Parts): MailContent {
  const hello = `Hello ${oneLine(greeting)},`;
  const text = [hello, ...lines, ...(action ? [`${action.title}:\n${action.link}`] : []), ending, signature('Sheaf')].join('\n\n');
  const paragraphs = [hello, ...lines].map((line) => `<p style="margin:0 0 16px">${escape(line)}</p>`).join('');
  const html = page({
    title: escape(oneLine(subject)),
    // Preview shown next to the subject in lists of mails.
    preview: escape(lines[0] ?? ''),
    body: paragraphs + (action ? button(action) : ''),
    ending: escape(ending),
  });
  return { subject: oneLine(subject), text, html };
}

const signature = (name: string): string => `-- \n${name}`;
const letterhead = (name: string): string => `letter-spacing:-0.02em;color:#256a4d">${escape(name)}</td>`;

/** The mail under the name of the installation, in place of Sheaf. */
export const signedBy = (name: string, { text, html, ...mail }: MailContent): MailContent => ({
  ...mail,
  text: text.endsWith(signature('Sheaf')) ? text.slice(0, -'Sheaf'.length) + name : text,
  html: html.replace(letterhead('Sheaf'), () => letterhead(name)),
});

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const button = ({ title, link }: { title: string; link: string }): string =>
  `<p style="margin:24px 0 12px"><a class="button" href="${escape(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#256a4d;color:#ffffff;font-weight:600;text-decoration:none">${escape(title)}</a></p>` +
  `<p class="quiet" style="margin:0;color:#6b6a63;font-size:13px;line-height:18px;word-break:break-all">${escape(link)}</p>`;

/** Inline colours for mail programs that drop style sheets, and a style sheet for those with dark mode. Nothing is fetched. */
const page = ({ title, preview, body, ending }: { title: string; preview: string; body: string; ending: string }): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${title}</title><style>
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){.ground{background:#191a17!important}.sheet{background:#23241f!important;border-color:#3a3b35!important;color:#ecebe4!important}.quiet{color:#a9a89f!important}.mark{color:#7cc7a0!important}.button{background:#7cc7a0!important;color:#10221a!important}}
</style></head><body class="ground" style="margin:0;padding:0;background:#f4f3ee"><div style="display:none;max-height:0;overflow:hidden">${preview}</div><table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f3ee"><tr><td align="center" style="padding:32px 16px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px"><tr><td class="mark" style="padding:0 4px 14px;${font};font-size:19px;font-weight:700;${letterhead('Sheaf')}</tr><tr><td class="sheet" style="padding:28px;border:1px solid #e2e0d8;border-radius:12px;background:#ffffff;color:#23241f;${font};font-size:15px;line-height:23px">${body}</td></tr><tr><td class="quiet" style="padding:16px 4px 0;color:#6b6a63;${font};font-size:13px;line-height:19px">${ending}</td></tr></table></td></tr></table></body></html>`;

/** A line break in a header would start another one. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
