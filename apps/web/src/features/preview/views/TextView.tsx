import { Readable } from '#/features/preview/Readable.tsx';
import type { Previewed } from '#/lib/files/previewing.ts';
import classes from '../Preview.module.css';

/** Plain text. */
export function PlainView({ file }: { file: Previewed }) {
  return <Readable file={file}>{(text) => <pre className={classes.text}>{text}</pre>}</Readable>;
}
