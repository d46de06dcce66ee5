import { join } from 'node:path';
import { Position, Range, l10n, window, workspace } from 'vscode';
import { isThere } from '../../core/base/isThere.ts';
import { configurationFile } from '../../core/repository/configuration.ts';
import { uriOf } from '../base/uris.ts';
import { resolveModel } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';

/** What a new file begins with. */
const skeleton = '# Settings of Worktree Stacks for everybody who works in this repository.\nstack: {}\n';

/** Opens the `.worktrees.yml` of a repository, at the line that cannot be read, if there is one; where there is none, the beginning of one. */
export async function openSettings(services: Services, argument?: unknown): Promise<void> {
  const model = await resolveModel(services, argument, l10n.t('Open Repository Settings'));
  if (!model) return;
  const path = join(model.repository.mainRoot, configurationFile);
  if (await isThere(path)) {
    const broken = model.state?.problems.find(({ file }) => file === path);
    const at = new Position(Math.max(0, (broken?.line ?? 1) - 1), 0);
    await window.showTextDocument(await workspace.openTextDocument(uriOf(path)), { selection: new Range(at, at) });
    return;
  }
  const draft = await window.showTextDocument(
    await workspace.openTextDocument(uriOf(path).with({ scheme: 'untitled' })),
  );
  if (draft.document.getText() === '') await draft.edit((edit) => edit.insert(new Position(0, 0), skeleton));
}
