import classes from '../Preview.module.css';

/** Rows of cells as a table; with `head` the first row is the header. */
export function Cells({ name, rows, head }: { name: string; rows: readonly (readonly string[])[]; head?: readonly string[] }) {
  return (
    <table className={classes.table} aria-label={name}>
      {head && (
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
