import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** Input of a thread: the file, and the most pixels its picture may have. */
export interface HeifTask {
  readonly bytes: Uint8Array;
  readonly mostPixels: number;
}
/** The decoded picture, four bytes a pixel, upright. */
export interface HeifPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** The part of libheif's binding that is used. */
interface Libheif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): readonly HeifImage[] };
}
interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  display(into: { data: Uint8ClampedArray; width: number; height: number }, done: (filled: object | null) => void): void;
}

const { bytes, mostPixels } = workerData as HeifTask;
// The package is CommonJS.
const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Libheif;
const images = new libheif.HeifDecoder().decode(bytes);
const image = images.find((each) => each.is_primary()) ?? images[0];
if (!image) throw new Error('there is no picture in the file');
const [width, height] = [image.get_width(), image.get_height()];
if (!(width > 0 && height > 0 && width * height <= mostPixels)) throw new Error(`a picture of ${width} x ${height} pixels is not unpacked`);
const pixels = new Uint8ClampedArray(width * height * 4);
image.display({ data: pixels, width, height }, (filled) => {
  if (!filled) throw new Error('the picture is damaged');
  parentPort?.postMessage({ width, height, pixels } satisfies HeifPicture, [pixels.buffer]);
});
