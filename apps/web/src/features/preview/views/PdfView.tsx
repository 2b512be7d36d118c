import { useElementSize } from '@mantine/hooks';
import {
  type PDFDocumentProxy,
  type PDFPageProxy,
  GlobalWorkerOptions,
  RenderingCancelledException,
  getDocument,
  version,
} from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the bundler gives the file's address
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Waiting } from '#/features/preview/Waiting.tsx';
import type { Previewed } from '#/lib/files/previewing.ts';
import classes from '../Preview.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Address of files that only some PDFs need; see the build's plugin for PDF parts. */
const parts = `${location.origin}/assets/pdf-${version}`;
/** Most pages that are rendered. */
const mostPages = 500;

/** A PDF's pages, rendered when they become visible and read by ranges. Its scripts do not run. */
export function PdfView({ file, fallback }: { file: Previewed; fallback: ReactNode }) {
  const { ref, width } = useElementSize();
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [ratio, setRatio] = useState(Math.SQRT2);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const task = getDocument({
      url: `${file.href}&inline=true`,
      disableAutoFetch: true,
      disableStream: true,
      rangeChunkSize: 1 << 18,
      enableXfa: false,
      cMapUrl: `${parts}/cmaps/`,
      standardFontDataUrl: `${parts}/standard_fonts/`,
      wasmUrl: `${parts}/wasm/`,
      // The server's Content-Security-Policy allows no WebAssembly.
      useWasm: false,
    });
    let isOver = false;
    task.promise
      .then(async (opened) => {
        const first = await opened.getPage(1);
        if (isOver) return;
        const { width: across, height: down } = first.getViewport({ scale: 1 });
        setRatio(down / across);
        setPdf(opened);
      })
      .catch(() => {
        if (!isOver) setFailed(true);
      });
    return () => {
      isOver = true;
      void task.destroy();
    };
  }, [file.href]);

  if (failed) return fallback;
  const pageWidth = Math.min(900, width);
  const count = Math.min(mostPages, pdf?.numPages ?? 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and is therefore reached by the keyboard
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Contents of ${file.name}`}>
      <div ref={ref} className={classes.pages}>
        {!pdf && <Waiting />}
        {pdf &&
          width > 0 &&
          Array.from({ length: count }, (_, index) => <PdfPage key={index} pdf={pdf} number={index + 1} width={pageWidth} ratio={ratio} />)}
        {pdf && count < pdf.numPages && <p className={classes.note}>The first {count} pages are shown.</p>}
      </div>
    </div>
  );
}

type PageProps = { pdf: PDFDocumentProxy; number: number; width: number; ratio: number };

/** One page, rendered shortly before it becomes visible and released when it is far away. */
function PdfPage({ pdf, number, width, ratio }: PageProps) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(false);
  const [page, setPage] = useState<PDFPageProxy>();
  const [isBroken, setBroken] = useState(false);

  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), { rootMargin: '100% 0px' });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!isNear || page) return;
    let isOver = false;
    pdf.getPage(number).then(
      (got) => !isOver && setPage(got),
      () => !isOver && setBroken(true),
    );
    return () => {
      isOver = true;
    };
  }, [isNear, page, pdf, number]);

  useEffect(() => {
    if (!isNear || !page || !canvas.current) return;
    const plain = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: (width / plain.width) * Math.min(2, devicePixelRatio) });
    canvas.current.width = viewport.width;
    canvas.current.height = viewport.height;
    const drawing = page.render({ canvas: canvas.current, viewport });
    drawing.promise.catch((error: unknown) => {
      // Leaving before the end is not a failure.
      if (!(error instanceof RenderingCancelledException)) setBroken(true);
    });
    return () => drawing.cancel();
  }, [isNear, page, width]);

  const height = page ? width * (page.getViewport({ scale: 1 }).height / page.getViewport({ scale: 1 }).width) : width * ratio;
  return (
    <div ref={place} className={classes.sheet} style={{ width, height }}>
      {isBroken && <p className={classes.broken}>Page {number} cannot be shown.</p>}
      {isNear && !isBroken && (
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Page ${number}`}
          style={{ width, height }}
          data-drawn={page !== undefined || undefined}
        />
      )}
    </div>
  );
}
