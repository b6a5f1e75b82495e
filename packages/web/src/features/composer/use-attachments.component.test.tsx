import { act, type ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { SessionContext, useSession } from '../../state/sessions/use-session.ts';
import { useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { focus, paste, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { field, texts } from '../../testing/queries.ts';
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
const input = (): HTMLTextAreaElement => field<HTMLTextAreaElement>('Message to Demo');

/** A text file that is uploaded only when the test says so. */
function slowUpload(page: TestPage) {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof failed>>();
  page.answer('file.attach', promise);
  const done = { ok: true, value: { path: '/scratch/notes.txt', size: 5 } } as unknown as ReturnType<typeof failed>;
  return {
    file: new File(['notes'], 'notes.txt'),
    finish: () => act(async () => resolve(done)),
    refuse: () => act(async () => resolve(failed('The disk is full.'))),
  };
}
const attachedLine = 'Attached file (5 B): `/scratch/notes.txt`';

/** The composer of the active tab, which stays when its new session begins. */
function ActiveComposer(): ReactNode {
  const scope = useSession();
  const store = useWorkbench().session(useTabs().active ?? '') ?? scope.store;
  return (
    <SessionContext value={{ ...scope, store }}>
      <Composer canSteer takesImages machine={undefined} />
    </SessionContext>
  );
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

describe('a file that is attached only after the user went on', () => {
  it('is added to the next message of a session that began meanwhile', async () => {
    const page = createTestPage();
    await page.list([]);
    page.answer('session.create', { ok: true, value: { sessionId: 'made', cliType: 'demo', projectId: 'p' } });
    const { drafts, newSessions, tabs } = page.workbench;
    tabs.show(newSessions.open({ projectId: 'p', cliType: 'demo' }));
    await render(page, <ActiveComposer />);
    await focus(input());
    const slow = slowUpload(page);
    await paste([slow.file]);
    await type(input(), 'First');
    await press('Enter');
    await act(() => vi.waitFor(() => expect(tabs.get().active).toBe('made')));
    await type(input(), 'Second');
    await slow.finish();
    expect(input().value).toBe(`Second\n${attachedLine}`);
    expect(drafts.read('made')).toBe(input().value);
  });

  it('is in the message when the user returns to the tab', async () => {
    const page = createTestPage();
    const close = await render(page, <Composer canSteer takesImages machine={undefined} />);
    await focus(input());
    const [slow, picture] = [slowUpload(page), slowImage('slow.png')];
    await paste([slow.file]);
    await paste([picture.file]);
    await type(input(), 'Look at this');
    close();
    await render(page, <Composer canSteer takesImages machine={undefined} />);
    await slow.finish();
    await picture.finish();
    await expect.poll(() => texts('.attachment').length).toBe(1);
    expect(input().value).toBe(`Look at this\n${attachedLine}`);
    await focus(input());
    await press('Enter');
    expect(page.callsOf('session.send')).toMatchObject([
      ['s', { content: `Look at this\n${attachedLine}`, images: [{ name: 'slow.png' }] }],
    ]);
  });

  it('says why it couldn’t be attached, on the page if the composer isn’t shown', async () => {
    const page = createTestPage();
    const close = await render(page, <Composer canSteer takesImages machine={undefined} />);
    await focus(input());
    const shown = slowUpload(page);
    await paste([shown.file]);
    await shown.refuse();
    expect(texts('[role=alert]')).toEqual(['The disk is full.']);
    expect(page.workbench.failures.get()).toBeNull();
    const hidden = slowUpload(page);
    await paste([hidden.file]);
    close();
    await hidden.refuse();
    expect(page.workbench.failures.get()).toEqual({ what: "Couldn't attach a file.", why: 'The disk is full.' });
  });
});
