import { hash } from 'node:crypto';

/** Uses the colours of the web app. */
const style = `
:root { color-scheme: light dark;
  --canvas: light-dark(#f5f3ee, #141311); --card: light-dark(#ffffff, #25231f); --line: light-dark(#e7e3da, #2d2b26); --strong: light-dark(#8f897c, #7a756a);
  --text: light-dark(#1f1d1a, #edeae3); --text-2: light-dark(#575249, #b9b4a8); --accent: light-dark(#2f6b4f, #7cc4a0); --on: light-dark(#ffffff, #0f2419);
  --note: light-dark(#fdf6d3, #332c10); --note-line: light-dark(#e6d37a, #61531c); --note-ink: light-dark(#5b4703, #f1dd8e); --wheat: light-dark(#c8963e, #d3a452); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 400 15px/22px 'Inter Variable', Inter, system-ui, sans-serif; }
main { max-width: 760px; margin: 0 auto; padding: 32px 16px 48px; }
header { display: flex; align-items: center; gap: 12px; margin-bottom: 24px; }
h1 { margin: 0; font-size: 22px; line-height: 28px; font-weight: 600; }
header p, .to, .when { margin: 0; color: var(--text-2); font-size: 13px; line-height: 18px; overflow-wrap: anywhere; }
ul { display: grid; gap: 12px; margin: 0; padding: 0; list-style: none; }
li.job { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 6px 16px; align-items: start; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
h2 { margin: 0; font-size: 15px; line-height: 22px; font-weight: 600; overflow-wrap: anywhere; }
.says { grid-column: 1 / -1; margin: 4px 0 0; overflow-wrap: anywhere; }
progress { grid-column: 1 / -1; width: 100%; height: 8px; accent-color: var(--accent); }
.failures { grid-column: 1 / -1; display: block; margin: 6px 0 0; padding: 10px 14px; border: 1px solid var(--note-line); border-radius: 8px; background: var(--note); color: var(--note-ink); font-size: 13px; line-height: 18px; }
.failures li { overflow-wrap: anywhere; }
button { min-height: 36px; padding: 0 14px; border: 1px solid var(--strong); border-radius: 8px; background: transparent; color: inherit; font: inherit; font-size: 14px; cursor: pointer; }
button:hover { border-color: var(--accent); }
button[aria-busy] { opacity: 0.6; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.note { padding: 14px 16px; border: 1px solid var(--note-line); border-radius: 8px; background: var(--note); color: var(--note-ink); }
code { font: 13px/18px ui-monospace, monospace; overflow-wrap: anywhere; }
[hidden] { display: none; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
`;

/** Removes the one-time code from the address, exchanges it for a token, and shows the status. Inserts values as text only, never as HTML. */
const script = `
'use strict';
const jobs = document.getElementById('jobs'), server = document.getElementById('server'), note = document.getElementById('note');
const live = document.getElementById('live');
const keep = window.sessionStorage;
let said = new Map(), ended = false;
const say = (text) => { note.textContent = text; note.hidden = text === ''; };
const ask = async (path, options = {}) => {
  const answer = await fetch(path, { ...options, headers: { ...options.headers, authorization: 'Bearer ' + keep.getItem('token') } });
  if (answer.status === 401 || answer.status === 403) { ended = true; throw new Error('refused'); }
  return answer.json();
};
const make = (tag, text, name) => { const one = document.createElement(tag); if (text !== undefined) one.textContent = text; if (name) one.className = name; return one; };
const press = async (button, job) => {
  // Marked busy instead of disabled, because a disabled button loses the focus.
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  try {
    await ask(job.state === 'paused' ? '/resume' : '/pause', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: job.id }) });
  } catch { /* The next look says what is wrong. */ }
  await look();
};
const row = (job) => {
  const item = make('li', undefined, 'job');
  item.dataset.id = job.id;
  const words = make('div');
  words.append(make('h2', job.folder), make('p', (job.action === 'backup' ? 'Backup to ' : 'Synced to ') + job.to, 'to'));
  const button = make('button', job.state === 'paused' ? 'Resume' : 'Pause');
  button.setAttribute('aria-label', button.textContent + ' ' + job.folder);
  button.addEventListener('click', () => press(button, job));
  item.append(words, button, make('p', job.sentence, 'says'));
  if (job.state === 'copying' && job.bytes > 0) {
    const bar = make('progress'); bar.max = job.bytes; bar.value = Math.min(job.bytes, job.bytesDone); bar.setAttribute('aria-label', 'Copied of ' + job.folder);
    item.append(bar);
  }
  if (job.failures.length > 0) {
    const list = make('ul', undefined, 'failures');
    for (const { path, message } of job.failures) list.append(make('li', path + ': ' + message));
    item.append(list);
  }
  return item;
};
const show = ({ account, jobs: all }) => {
  server.textContent = account === '' ? 'Nobody is signed in. In a terminal: sheaf login ADDRESS' : 'Signed in at ' + account;
  const focused = document.activeElement?.closest('li.job')?.dataset.id;
  const text = JSON.stringify(all);
  if (show.last === text) return;
  show.last = text;
  jobs.replaceChildren(...all.map(row));
  if (focused) jobs.querySelector('[data-id="' + focused + '"] button')?.focus();
  say(all.length === 0 ? 'No folder is copied from this computer yet. In a terminal: sheaf service add FOLDER' : '');
  const news = all.filter((job) => said.has(job.id) && said.get(job.id) !== job.state).map((job) => job.folder + ': ' + job.sentence);
  said = new Map(all.map((job) => [job.id, job.state]));
  if (news.length > 0) live.textContent = news.join(' ');
};
const look = async () => {
  try { show(await ask('/state')); }
  catch { say(ended ? 'This page is no longer valid. Open it anew: sheaf status --open' : 'The program that serves this page has ended. Open it anew: sheaf status --open'); }
};
const begin = async () => {
  const code = location.hash.slice(1);
  history.replaceState(null, '', '/');
  if (code !== '') {
    const answer = await fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) });
    if (answer.ok) keep.setItem('token', (await answer.json()).token);
  }
  await look();
  setInterval(() => { if (!ended) look(); }, 2000);
};
begin();
`;

export const statusPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Sheaf on this computer</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<svg width="36" height="36" viewBox="0 0 36 36" aria-hidden="true"><g fill="none" stroke="var(--accent)" stroke-width="4" stroke-linecap="round"><path d="M18 5v26"/><path d="M8 9c2 7 6 9 6 13v9"/><path d="M28 9c-2 7-6 9-6 13v9"/></g><path d="M9 21h18v4H9z" fill="var(--wheat)"/></svg>
<div><h1>Sheaf on this computer</h1><p id="server"></p></div>
</header>
<p id="note" class="note" role="status" hidden></p>
<ul id="jobs" aria-label="Folders"></ul>
<p id="live" aria-live="polite" class="unseen"></p>
<noscript><p class="note">This page needs JavaScript. In a terminal: <code>sheaf status</code></p></noscript>
</main>
<script>${script}</script>
</body>
</html>
`;

/** Content security policy: the page may run only its own script, and contact only its own server. */
export const statusPolicy = [
  "default-src 'none'",
  `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
