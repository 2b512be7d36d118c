import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { common, createLowlight } from 'lowlight';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { Readable } from '#/features/preview/Readable.tsx';
import { extensionOf } from '#/lib/files/preview-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';
import classes from '../Preview.module.css';
import './code.css';

const highlighter = createLowlight(common);
/** Most characters that are highlighted, which takes time. */
const mostColoured = 200_000;
/** Languages whose extension differs from their name. */
const languages: Readonly<Record<string, string>> = {
  htm: 'xml',
  html: 'xml',
  vue: 'xml',
  svelte: 'xml',
  mjs: 'javascript',
  cjs: 'javascript',
  mts: 'typescript',
  cts: 'typescript',
  conf: 'ini',
  cfg: 'ini',
  properties: 'ini',
  json5: 'json',
  hpp: 'cpp',
  zsh: 'bash',
  gradle: 'kotlin',
};

/** Source code with syntax highlighting. */
export function CodeView({ file }: { file: Previewed }) {
  return (
    <Readable file={file} wide>
      {(text) => <pre className={classes.code}>{coloured(text, file.name)}</pre>}
    </Readable>
  );
}

function coloured(text: string, name: string) {
  const extension = extensionOf(name);
  const language = languages[extension] ?? extension;
  if (text.length > mostColoured || !highlighter.registered(language)) return text;
  return toJsxRuntime(highlighter.highlight(language, text), { Fragment, jsx, jsxs });
}
