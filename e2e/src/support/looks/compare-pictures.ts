import type { Page } from 'playwright-core';

type Comparison = {
  /** Whether a user would see the difference. */
  readonly isSame: boolean;
  /** The new picture in grey, with the differences in red. A PNG; empty if they are the same. */
  readonly marked: Buffer;
};

/**
 * Compares two PNGs in the browser. A pixel differs if the other picture has nothing similar within one pixel, so the
 * edges of letters may vary slightly. It counts by tiles: noise is spread out, a real change isn't.
 */
export async function comparePictures(page: Page, before: Buffer, after: Buffer): Promise<Comparison> {
  const found = await page.evaluate(
    async ([was, is]) => {
      const tile = 24;
      const tolerated = { channel: 40, perTile: 0.06 };
      const read = async (base64: string): Promise<ImageData> => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const paint = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        if (paint === null) throw new Error('No canvas here.');
        paint.drawImage(bitmap, 0, 0);
        return paint.getImageData(0, 0, bitmap.width, bitmap.height);
      };
      const [old, now] = [await read(was), await read(is)];
      const { width, height } = now;
      const isAlike = (a: ImageData, at: number, b: ImageData, other: number): boolean =>
        [0, 1, 2].every(
          (part) => Math.abs((a.data[at + part] ?? 0) - (b.data[other + part] ?? 0)) <= tolerated.channel,
        );
      const isNear = (a: ImageData, x: number, y: number, b: ImageData): boolean => {
        const at = (y * width + x) * 4;
        if (isAlike(a, at, b, at)) return true;
        for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1)
          for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1)
            if (isAlike(a, at, b, (row * width + column) * 4)) return true;
        return false;
      };
      const columns = Math.ceil(width / tile);
      const counts = new Uint32Array(columns * Math.ceil(height / tile));
      const isSameSize = old.width === width && old.height === height;
      const [oldPixels, pixels] = [new Uint32Array(old.data.buffer), new Uint32Array(now.data.buffer)];
      const isMarked = new Uint8Array(width * height);
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1) {
          const at = y * width + x;
          // Nearly all of them.
          if (isSameSize && oldPixels[at] === pixels[at]) continue;
          if (isSameSize && isNear(now, x, y, old) && isNear(old, x, y, now)) continue;
          const place = Math.floor(y / tile) * columns + Math.floor(x / tile);
          counts[place] = (counts[place] ?? 0) + 1;
          isMarked[at] = 1;
        }
      if (counts.every((count) => count <= tolerated.perTile * tile * tile)) return { isSame: true, marked: '' };
      const marked = new ImageData(width, height);
      for (const [at, isRed] of isMarked.entries()) {
        const grey = 160 + (now.data[at * 4 + 1] ?? 0) / 2.7;
        marked.data.set(isRed === 1 ? [220, 0, 40, 255] : [grey, grey, grey, 255], at * 4);
      }
      const canvas = new OffscreenCanvas(width, height);
      canvas.getContext('2d')?.putImageData(marked, 0, 0);
      const png = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
      let binary = '';
      for (let at = 0; at < png.length; at += 8192) binary += String.fromCharCode(...png.subarray(at, at + 8192));
      return { isSame: false, marked: btoa(binary) };
    },
    [before.toString('base64'), after.toString('base64')] as const,
  );
  return { isSame: found.isSame, marked: Buffer.from(found.marked, 'base64') };
}
