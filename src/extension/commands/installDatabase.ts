import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { l10n, window, workspace } from 'vscode';
import { isObject } from '../../core/base/jsonText.ts';
import { runProgram } from '../../core/base/process.ts';
import { Problem, stopIfCancelled } from '../../core/base/problem.ts';
import { verbatim } from '../../core/messages/message.ts';
import { withProgress } from '../base/progress.ts';
import type { Services } from '../services/services.ts';

/** How long it may take, in milliseconds. */
const timeout = 20 * 60_000;

/**
 * Installs the engine of the database into the extension's own storage, where `wt` finds it from then on.
 *
 * @param argument `{ ask: false }` installs it without asking.
 * @returns `installed` or `already`; `undefined` when the person does not want it.
 */
export async function installDatabase(
  { context }: Services,
  argument?: unknown,
): Promise<'installed' | 'already' | undefined> {
  if (!workspace.isTrusted) {
    throw new Problem('unsupported', verbatim(l10n.t('This folder is not trusted, so no command runs in it.')), {
      next: verbatim(l10n.t('trust the folder if you trust its authors')),
    });
  }
  const storage = context.globalStorageUri.fsPath;
  const install = l10n.t('Install');
  const asks = !(isObject(argument) && argument['ask'] === false);
  const detail = l10n.t('npm downloads DuckDB, about 70 MB, into {0}. Nothing else needs it.', storage);
  const title = l10n.t('Install the database engine?');
  if (asks && (await window.showInformationMessage(title, { modal: true, detail }, install)) !== install)
    return undefined;
  await mkdir(storage, { recursive: true });
  const answer = await withProgress(l10n.t('Installing the database engine'), async (_, signal) => {
    const wt = join(context.extensionPath, 'dist', 'wt.js');
    const args = [wt, 'state', 'db', 'install', '--into', join(storage, 'engine'), '--json'];
    const variables = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const { stdout, failure } = await runProgram(process.execPath, args, { cwd: storage, variables, timeout, signal });
    stopIfCancelled(signal);
    return readAnswer(stdout, failure);
  });
  void window.showInformationMessage(l10n.t('The database engine is installed.'));
  return answer['installed'] === true ? 'installed' : 'already';
}

/** What `wt` has answered; its problem as one of ours. */
function readAnswer(text: string, failure: Error | undefined): Record<string, unknown> {
  const answer = text === '' ? undefined : (JSON.parse(text) as unknown);
  if (isObject(answer) && answer['success'] === true) return answer;
  const error = isObject(answer) && isObject(answer['error']) ? answer['error'] : {};
  const { message = failure?.message ?? '', next } = error;
  throw new Problem('unsupported', verbatim(String(message)), {
    ...(typeof next === 'string' ? { next: verbatim(next) } : {}),
    cause: failure,
  });
}
