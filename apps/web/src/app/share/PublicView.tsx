import { QueryClientProvider } from '@tanstack/react-query';
import { Shown } from '#/features/preview/Shown.tsx';
import { useZoom } from '#/features/preview/views/use-zoom.ts';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';
import { queryClient } from '#/lib/query-client.ts';

const nothing = (): void => undefined;

/** Preview of a shared file, by its kind. */
export function PublicView({ file }: { file: Previewed }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Shown file={file} kind={previewKindOf(file)} zoom={useZoom(file.key)} onDimensions={nothing} />
    </QueryClientProvider>
  );
}
