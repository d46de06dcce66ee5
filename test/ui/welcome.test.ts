import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSampleRepository } from '../../scripts/sampleRepository.mjs';
import type { Place } from '../support/launch/place.ts';
import { useWorkbench } from './support/useWorkbench.ts';
import type { Workbench } from './support/workbench.ts';

async function git(place: Place, folder: string, ...args: string[]): Promise<void> {
  await promisify(execFile)('git', args, { cwd: folder, env: place.env });
}

const button = (workbench: Workbench, name: string) => workbench.page.getByRole('button', { name, exact: true });

describe('a person who sees the view for the first time', () => {
  const open = useWorkbench({
    prepare: async (place) => {
      const folder = join(place.work, 'meadow');
      await mkdir(folder, { recursive: true });
      await git(place, folder, 'init', '--quiet');
      await writeFile(join(folder, 'README.md'), '# Meadow\n');
      await git(place, folder, 'add', '.');
      await git(place, folder, 'commit', '--quiet', '-m', 'Start');
      await mkdir(join(place.work, 'plain'));
      return { folder };
    },
  });

  it('is told what a worktree is and makes the first one with a button', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    await workbench.welcome(/Work on several branches at once/);
    await workbench.screenshot('welcome-no-worktrees');
    await button(workbench, 'Create Worktree').click();
    await workbench.quickInput.shows('Create Worktree (1/2)');
    await workbench.quickInput.type('first');
    await workbench.quickInput.firstRowIs('Create “first” from');
    await workbench.quickInput.accept();
    await workbench.quickInput.shows(/^Select what to do after creating/);
    await workbench.quickInput.pick('Stay here');
    await workbench.tree('Worktrees').waitForRow(/^first, /);
    await workbench.tree('Worktrees').waitForRow(/^main, main working tree, open in this window/);
  });

  it('is offered to open a folder where there is none', async () => {
    const workbench = await open().open({ empty: true });
    await workbench.openContainer('Worktree Stacks');
    await workbench.welcome(/Open a folder of a Git repository/);
    await button(workbench, 'Open Folder').waitFor();
    await workbench.screenshot('welcome-no-folder');
    await workbench.page.locator('.pane-body a').filter({ hasText: 'Get Started' }).first().click();
    await workbench.page.getByRole('main').getByText('Get Started with Worktree Stacks').first().waitFor();
    await workbench.page.getByText('Build on work in progress').first().waitFor();
    await workbench.screenshot('walkthrough');
  });

  it('is offered to make a repository where there is none, and sees it come alive', async () => {
    const { place } = open();
    const workbench = await open().open({ folder: join(place.work, 'plain') });
    await workbench.openContainer('Worktree Stacks');
    await workbench.welcome(/This folder is not in a Git repository/);
    await workbench.screenshot('welcome-no-repository');
    await button(workbench, 'Initialize Repository').click();
    await workbench.welcome(/Work on several branches at once/);
  });
});

describe('a person who has not trusted a folder', () => {
  const open = useWorkbench({
    trusted: false,
    settings: { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
    prepare: async (place) => ({ folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) }),
  });

  it('reads why nothing is shown', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    await workbench.welcome(/This folder is not trusted, so no Git command runs in it/);
    await workbench.screenshot('welcome-untrusted');
  });

  it('trusts it with a button, and sees the worktrees', async () => {
    const { workbench } = open();
    await button(workbench, 'Manage Workspace Trust').click();
    await workbench.editor('Workspace Trust');
    await button(workbench, 'Trust').click();
    await workbench.tree('Worktrees').waitForRow(/^payment-form, 1 ahead of main/);
    await workbench.screenshot('trusted');
  });
});
