import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { focus, paste, press } from '../../testing/events.ts';
import { field } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { Composer } from './composer.tsx';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const image = (name: string): File => new File([png], name, { type: 'image/png' });

/** An image that is read only when the test says so. */
function slowImage(name: string) {
  const file = image(name);
  const { promise, resolve } = Promise.withResolvers<ArrayBuffer>();
  file.arrayBuffer = () => promise;
  return { file, finish: () => act(async () => resolve(png.buffer)) };
}

async function openComposer(): Promise<TestPage> {
  const page = createTestPage();
  await render(page, <Composer canSteer takesImages machine={undefined} />);
  await focus(field('Message to Demo'));
  return page;
}
const names = (page: TestPage): unknown[] => page.workbench.drafts.images('s').map(({ name }) => name);

describe('attaching an image', () => {
  it('keeps an image that was attached while another was being read', async () => {
    const page = await openComposer();
    const slow = slowImage('slow.png');
    await paste([slow.file]);
    await paste([image('quick.png')]);
    await expect.poll(() => names(page)).toEqual(['quick.png']);
    await slow.finish();
    await expect.poll(() => names(page)).toEqual(['quick.png', 'slow.png']);
  });

  it('doesn’t bring back images that were sent while another was being read', async () => {
    const page = await openComposer();
    await paste([image('sent.png')]);
    await expect.poll(() => names(page)).toEqual(['sent.png']);
    const slow = slowImage('slow.png');
    await paste([slow.file]);
    await press('Enter');
    expect(page.callsOf('session.send')).toMatchObject([['s', { images: [{ name: 'sent.png' }] }]]);
    await slow.finish();
    await expect.poll(() => names(page)).toEqual(['slow.png']);
  });
});
