import { queryOptions } from '@tanstack/react-query';
import type { Previewed } from '#/lib/files/previewing.ts';
import { readText } from './views/read-text.ts';

const version = ({ key, modified, size }: Previewed) => [key, modified, size] as const;

/** The beginning of a file as text. */
export const textOf = (file: Previewed) =>
  queryOptions({
    queryKey: ['text', ...version(file)],
    queryFn: ({ signal }) => readText(`${file.href}&inline=true`, signal),
    staleTime: 60_000,
  });

/** The directory of an archive. */
export const directoryOf = (file: Previewed) =>
  queryOptions({
    queryKey: ['archive', ...version(file)],
    queryFn: ({ signal }) => file.directory(signal),
    staleTime: 60_000,
  });

/** The text of an office document. */
export const officeTextOf = (file: Previewed) =>
  queryOptions({
    queryKey: ['office', ...version(file)],
    queryFn: ({ signal }) => file.officeText(signal),
    staleTime: 60_000,
  });
