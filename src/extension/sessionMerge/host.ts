import type { ExtensionContext, LogOutputChannel, Uri } from 'vscode';
import type { Log } from '../../core/base/log.ts';
import type { ContextKeys } from '../base/contextKeys.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { SessionMergeDocument } from './document.ts';
import type { SavedChoices } from './savedChoices.ts';

/** The services that the session merge editor needs. */
export interface SessionMergeHost {
  readonly context: Pick<ExtensionContext, 'extensionUri'>;
  readonly channel: LogOutputChannel;
  readonly log: Log;
  readonly keys: ContextKeys;
  readonly repositories: Repositories;
  readonly sessionMerge: {
    readonly savedChoices: SavedChoices;
    /** The document of a file that is open in the editor. */
    find(uri: Uri): SessionMergeDocument | undefined;
  };
}
