import { join } from 'node:path';
import { conflictedRepository, manyTasks } from '../support/sessionConflict.ts';
import { MergePage } from './support/mergePage.ts';
import { useWorkbench } from './support/useWorkbench.ts';
describe('zz', () => {
  const open = useWorkbench({
    prepare: async (place) => {
      const repository = await conflictedRepository(join(place.work, 'orchard'), place.env, manyTasks(2000));
      await repository.merge();
      return { folder: repository.root };
    },
    settings: { 'files.autoSave': 'off' },
  });
  it('measures', async () => {
    const { workbench } = open();
    await workbench.openFile('session.md');
    const page = new MergePage(workbench.page);
    await page.shown();
    const frame = workbench.page.frames().find((f) => f.url().includes('fake.html'))!;
    for (const key of ['ArrowDown', 'ArrowDown', 'End', 'Home', 'PageDown']) {
      console.log(key, await frame.evaluate(async (k) => {
        const t = performance.now();
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true }));
        const a = performance.now() - t;
        await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
        return [Math.round(a), Math.round(performance.now() - t), document.activeElement!.getAttribute('aria-label')];
      }, key));
    }
    console.log('scroll', await page.scrollThrough());
    for (let i = 0; i < 2; i++) {
      const t = Date.now();
      await page.key('Space');
      await page.summary(i === 0 ? '1801 decided, 199 to look at' : '1801 decided, 199 to look at');
      console.log('space', Date.now() - t, (await page.rows()).find((r) => r.focused)?.name);
    }
    const t = Date.now();
    await page.result();
    console.log('result', Date.now() - t);
  });
});
