import type { Previewed } from '#/lib/previewing.ts';
import { parseTable } from './csv.ts';
import { Readable } from './Readable.tsx';
import classes from './Preview.module.css';

/** A table in text, with its first row as heads. */
export function TableView({ file }: { file: Previewed }) {
  return (
    <Readable file={file} wide>
      {(text) => <Table name={file.name} text={text} />}
    </Readable>
  );
}

function Table({ name, text }: { name: string; text: string }) {
  const { rows, isCut } = parseTable(text);
  const [head = [], ...body] = rows;
  return (
    <>
      <table className={classes.table} aria-label={name}>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && <p className={classes.note}>The first {rows.length} rows are shown.</p>}
    </>
  );
}
