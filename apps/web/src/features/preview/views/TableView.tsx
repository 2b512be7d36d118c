import { Readable } from '#/features/preview/Readable.tsx';
import type { Previewed } from '#/lib/files/previewing.ts';
import { Cells } from './Cells.tsx';
import { parseTable } from './csv.ts';
import classes from '../Preview.module.css';

/** A text table whose first row is the header. */
export function TableView({ file }: { file: Previewed }) {
  return (
    <Readable file={file} wide>
      {(text) => <Table name={file.name} text={text} />}
    </Readable>
  );
}

function Table({ name, text }: { name: string; text: string }) {
  const { rows, isCut, isWide } = parseTable(text);
  const [head = [], ...body] = rows;
  return (
    <>
      <Cells name={name} head={head} rows={body} />
      {isCut && <p className={classes.note}>The first {rows.length} rows are shown.</p>}
      {isWide && <p className={classes.note}>The first {Math.max(...rows.map((row) => row.length))} columns are shown.</p>}
    </>
  );
}
