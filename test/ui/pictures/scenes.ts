import { pictures } from '../../../scripts/pictures/list.mjs';
import { MergePage } from '../support/mergePage.ts';
import type { Frame, Part, Stage } from './stage.ts';

/** Brings about what a picture shows, and takes it; later scenes find what earlier ones have left. */
type Scene = (stage: Stage) => Promise<readonly Frame[]>;

const worktrees = 'Worktrees';

function sizeOf(name: string): { readonly width: number; readonly height: number } {
  const picture = pictures.find((each) => each.name === name);
  if (!picture) throw new Error(`${name} is not in the list of pictures.`);
  return picture;
}

/** The side bar's part of a picture. */
async function sideBar(stage: Stage, name: string): Promise<Part> {
  const { width, height } = sizeOf(name);
  return stage.from('.part.sidebar', width, height);
}

/** Our view in a wide side bar, as a stack, with everything read. */
async function view({ workbench }: Stage): Promise<void> {
  const tree = workbench.tree(worktrees);
  // By the words that are least likely to change.
  await tree.waitForRow(/^cart-model,.*restack/i);
  await tree.waitForRow(/^search,.*(wait|input)/i);
  await tree.waitForRow(/^gift-cards,.*conflict/i);
}

/** Takes the questions and messages away that a scene has left. */
async function clear({ workbench, page }: Stage): Promise<void> {
  for (let left = 3; left > 0; left--) await page.keyboard.press('Escape');
  await workbench.runCommand('Notifications: Clear All Notifications');
}

/** One scene for each picture of the list, by its name. */
export const scenes: Readonly<Record<string, Scene>> = {
  async see(stage) {
    await view(stage);
    await stage.workbench.tree(worktrees).expand(/^search,/);
    await stage.away();
    const frame = await stage.frame(await sideBar(stage, 'see'));
    await stage.workbench.tree(worktrees).collapse(/^search,/);
    return [frame];
  },

  async tasks(stage) {
    const header = stage.page.getByRole('button', { name: `${worktrees} Section` });
    await header.click();
    await stage.workbench.tree('Tasks').waitForRow(/^Order new labels/);
    await stage.away();
    const frame = await stage.frame(await sideBar(stage, 'tasks'));
    await header.click();
    return [frame];
  },

  async agents(stage) {
    await stage.run('list');
    await view(stage);
    await stage.away();
    const frame = await stage.frame(await sideBar(stage, 'agents'));
    await stage.run('stack');
    return [frame];
  },

  async stack(stage) {
    await view(stage);
    await stage.away();
    return [await stage.frame(await sideBar(stage, 'stack'))];
  },

  async share(stage) {
    await stage.run('signIn');
    const tree = stage.workbench.tree(worktrees);
    await tree.waitForRow(/^cart-page,.*failed/i);
    await clear(stage);
    await stage.away();
    return [await stage.frame(await sideBar(stage, 'share'))];
  },

  async create(stage) {
    await stage.workbench.openFile('cart.js');
    await stage.toggleSideBar();
    await stage.run('create');
    await stage.workbench.quickInput.shows(/1\/2/);
    await stage.workbench.quickInput.type('returns');
    await stage.workbench.quickInput.firstRowIs(/^Create “returns” from/);
    const { width, height } = sizeOf('create');
    const frame = await stage.frame(await stage.around('.quick-input-widget', width, height, 12));
    await clear(stage);
    return [frame];
  },

  async restack(stage) {
    await stage.run('rebaseStack');
    await stage.workbench.quickInput.shows(/cart-page/);
    const { width, height } = sizeOf('restack');
    const frame = await stage.frame(await stage.around('.quick-input-widget', width, height, 12));
    await clear(stage);
    return [frame];
  },

  async 'rebase-stack'(stage) {
    await stage.toggleSideBar();
    await stage.widen(400);
    await stage.run('rebaseStack');
    await stage.workbench.quickInput.shows(/cart-page/);
    const frame = await stage.frame();
    await clear(stage);
    return [frame];
  },

  async remove(stage) {
    await stage.run('cleanup');
    await stage.workbench.dialog(/cart-page/);
    const { width, height } = sizeOf('remove');
    const frame = await stage.frame(await stage.around('[role=dialog][aria-modal=true]', width, height, 40));
    await clear(stage);
    return [frame];
  },

  async merge(stage) {
    await stage.widen(425);
    const tree = stage.workbench.tree(worktrees);
    await tree.expand(/^order-notes,/);
    await tree.click(/session\.md/);
    await new MergePage(stage.page).shown();
    await stage.away();
    const { width, height } = sizeOf('merge');
    return [await stage.frame(await stage.from('.part.editor', width, height))];
  },

  async 'session-merge'(stage) {
    await stage.widen(320);
    await new MergePage(stage.page).shown();
    await stage.away();
    const frame = await stage.frame();
    await stage.workbench.tree(worktrees).collapse(/^order-notes,/);
    return [frame];
  },

  async tour(stage) {
    const { workbench } = stage;
    const tree = workbench.tree(worktrees);
    await workbench.runCommand('View: Close All Editors');
    await workbench.openFile('cart.js');
    await stage.away();
    const frames = [await stage.frame(undefined, 2200)];
    await stage.run('create');
    await workbench.quickInput.shows(/1\/2/);
    await workbench.quickInput.type('returns');
    await workbench.quickInput.firstRowIs(/^Create “returns” from/);
    frames.push(await stage.frame(undefined, 2000));
    await clear(stage);
    await (await tree.row(/^cart-model,/)).hover();
    frames.push(await stage.frame(undefined, 1200));
    await stage.away();
    await stage.run('rebaseStack');
    await workbench.quickInput.shows(/cart-page/);
    frames.push(await stage.frame(undefined, 3200));
    await workbench.quickInput.accept();
    await tree.until('nothing needs a restack', (rows) => !rows.some(({ name }) => /^cart-.*restack/i.test(name)));
    await workbench.notification(/rebased|restacked/i);
    await stage.away();
    frames.push(await stage.frame(undefined, 2600));
    await workbench.runCommand('Notifications: Clear All Notifications');
    await stage.run('undo');
    await tree.waitForRow(/^cart-model,.*restack/i);
    await workbench.notification(/und(o|id)/i);
    await stage.away();
    frames.push(await stage.frame(undefined, 2600));
    await workbench.runCommand('Notifications: Clear All Notifications');
    return frames;
  },
};
