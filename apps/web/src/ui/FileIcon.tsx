import {
  type Icon,
  IconFile,
  IconFileCode,
  IconFileMusic,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconFolderFilled,
  IconMovie,
  IconPhoto,
} from '@tabler/icons-react';
import { createElement } from 'react';

const icons = {
  folder: IconFolderFilled,
  image: IconPhoto,
  video: IconMovie,
  audio: IconFileMusic,
  doc: IconFileText,
  pdf: IconFileTypePdf,
  sheet: IconFileSpreadsheet,
  archive: IconFileZip,
  code: IconFileCode,
  plain: IconFile,
} as const satisfies Record<string, Icon>;

/** The icon of a kind of file, in the kind's colour. Decorative: the name is next to it. */
export function FileIcon({ kind, size = 22 }: { kind: keyof typeof icons; size?: number }) {
  return createElement(icons[kind], { size, stroke: 1.5, color: `var(--t-${kind})`, 'aria-hidden': true });
}
