import type { Services } from '../services/services.ts';
import { carryChangesCommand } from './carryChanges.ts';
import { cleanupWorktreeCommand } from './cleanupWorktree.ts';
import { clearActiveCommand } from './clearActive.ts';
import { abortInGitCommand, continueInGitCommand } from './continueInGit.ts';
import { cleanupMergedCommand } from './cleanupMerged.ts';
import { clearFilter, filterWorktrees } from './filter.ts';
import { clickRow, find, openRow } from './rows.ts';
import { copyPath } from './copyPath.ts';
import { createFromPullRequest, createWorktreeCommand } from './createWorktree.ts';
import { diffWorktree, openChanges } from './diffWorktree.ts';
import { getStarted, type GetStartedOptions } from './getStarted.ts';
import { goToAgent, nextWaitingAgent, showWaitingAgents } from './goToAgent.ts';
import { installClaudePlugin } from './installClaudePlugin.ts';
import { installDatabase } from './installDatabase.ts';
import { abortMergeCommand, continueMergeCommand } from './mergeUnderWay.ts';
import { mergeWorktreeCommand } from './mergeWorktree.ts';
import { adoptWorktree } from './adoptWorktree.ts';
import { lockWorktreeCommand, unlockWorktreeCommand } from './lockWorktree.ts';
import { moveOntoCommand } from './moveOnto.ts';
import { openChange, openFile } from './openChange.ts';
import { openConflict } from './openConflict.ts';
import { openInTerminal, runDoctor, runInWorktree } from './openInTerminal.ts';
import { openSessionFile, openTask } from './openTask.ts';
import { openSettings } from './openSettings.ts';
import { openHere, openInNewWindow } from './openWorktree.ts';
import { previewRestack } from './previewRestack.ts';
import { rebaseCommand, rebaseStackCommand } from './rebase.ts';
import { abortRebaseCommand, continueRebaseCommand, skipRebaseCommand } from './rebaseUnderWay.ts';
import { reclaimCommand } from './reclaim.ts';
import { refresh } from './refresh.ts';
import { renameWorktreeCommand } from './renameWorktree.ts';
import { repairWorktreeCommand } from './repairWorktree.ts';
import { reviewChanges } from './reviewChanges.ts';
import { revealWorktree } from './revealWorktree.ts';
import { sameFileAbove, sameFileBelow } from './sameFile.ts';
import {
  acceptMerge,
  nextToReview,
  openMergeAsText,
  openSessionMergeCommand,
  previousToReview,
} from './sessionMerge.ts';
import { showDecisions } from './showDecisions.ts';
import { showProblems } from './showProblems.ts';
import { showWorktrees } from './showWorktrees.ts';
import { startClaudeCommand } from './startClaudeHere.ts';
import { startTask, startTaskWithClaude } from './startTask.ts';
import { redoCommand, undoCommand } from './undoStack.ts';
import { nextInStack, previousInStack } from './walkStack.ts';
import { viewAsList, viewAsStack } from './viewAs.ts';
import { switchActiveCommand } from './switchActive.ts';
import { createPullRequestCommand, stackPullRequestsCommand, updatePullRequestCommand } from './createPullRequest.ts';
import { openInBrowserCommand } from './openInBrowser.ts';
import { copyPullRequestLinkCommand, openPullRequestCommand } from './openPullRequest.ts';
import { pushCommand, pushStackCommand } from './push.ts';
import { rebaseAndPushCommand } from './rebaseAndPush.ts';
import { signInCommand } from './signIn.ts';
import { stopWatchingCommand, watchChecksCommand, watchStackChecksCommand } from './watchChecks.ts';
import { sendPullRequest } from './pullRequestTexts.ts';
import { writeCommitMessage } from './writeCommitMessage.ts';

/** What a command does; it may be given the row that it was chosen on, all rows that are selected, or an argument object. */
export type Command = (services: Services, ...args: unknown[]) => Promise<unknown>;

/** What each command of the manifest does. Loaded with the first command that is used. */
export const commandTable: Readonly<Record<string, Command>> = {
  'worktreeStacks.create': createWorktreeCommand,
  'worktreeStacks.createFromPullRequest': createFromPullRequest,
  'worktreeStacks.cleanup': cleanupWorktreeCommand,
  'worktreeStacks.cleanupMerged': cleanupMergedCommand,
  'worktreeStacks.reclaim': reclaimCommand,
  'worktreeStacks.repair': repairWorktreeCommand,
  'worktreeStacks.merge': mergeWorktreeCommand,
  'worktreeStacks.continueMerge': continueMergeCommand,
  'worktreeStacks.commitMerge': continueMergeCommand,
  'worktreeStacks.abortMerge': abortMergeCommand,
  'worktreeStacks.rebase': rebaseCommand,
  'worktreeStacks.rebaseStack': rebaseStackCommand,
  'worktreeStacks.previewRestack': previewRestack,
  'worktreeStacks.continueRebase': continueRebaseCommand,
  'worktreeStacks.skipRebase': skipRebaseCommand,
  'worktreeStacks.abortRebase': abortRebaseCommand,
  'worktreeStacks.continueCherryPick': continueInGitCommand('cherry-pick'),
  'worktreeStacks.abortCherryPick': abortInGitCommand('cherry-pick'),
  'worktreeStacks.continueRevert': continueInGitCommand('revert'),
  'worktreeStacks.abortRevert': abortInGitCommand('revert'),
  'worktreeStacks.continuePatches': continueInGitCommand('am'),
  'worktreeStacks.abortPatches': abortInGitCommand('am'),
  'worktreeStacks.moveOnto': moveOntoCommand,
  'worktreeStacks.adopt': adoptWorktree,
  'worktreeStacks.rename': renameWorktreeCommand,
  'worktreeStacks.lock': lockWorktreeCommand,
  'worktreeStacks.unlock': unlockWorktreeCommand,
  'worktreeStacks.carryChanges': carryChangesCommand,
  'worktreeStacks.writeCommitMessage': writeCommitMessage,
  'worktreeStacks.sendPullRequest': sendPullRequest,
  'worktreeStacks.undo': undoCommand,
  'worktreeStacks.redo': redoCommand,
  'worktreeStacks.viewAsList': viewAsList,
  'worktreeStacks.viewAsStack': viewAsStack,
  'worktreeStacks.find': find,
  'worktreeStacks.filter': filterWorktrees,
  'worktreeStacks.clearFilter': clearFilter,
  'worktreeStacks.nextInStack': nextInStack,
  'worktreeStacks.previousInStack': previousInStack,
  'worktreeStacks.sameFileAbove': sameFileAbove,
  'worktreeStacks.sameFileBelow': sameFileBelow,
  'worktreeStacks.clickRow': clickRow,
  'worktreeStacks.openRow': openRow,
  'worktreeStacks.openHere': openHere,
  'worktreeStacks.openInNewWindow': openInNewWindow,
  'worktreeStacks.openInTerminal': openInTerminal,
  'worktreeStacks.runInWorktree': runInWorktree,
  'worktreeStacks.switchActive': switchActiveCommand,
  'worktreeStacks.clearActive': clearActiveCommand,
  'worktreeStacks.showWorktrees': showWorktrees,
  'worktreeStacks.diff': diffWorktree,
  'worktreeStacks.openChanges': openChanges,
  'worktreeStacks.reviewChanges': reviewChanges,
  'worktreeStacks.openChange': openChange,
  'worktreeStacks.openConflict': openConflict,
  'worktreeStacks.openFile': openFile,
  'worktreeStacks.reveal': revealWorktree,
  'worktreeStacks.copyPath': copyPath,
  'worktreeStacks.startClaude': startClaudeCommand,
  'worktreeStacks.goToAgent': goToAgent,
  'worktreeStacks.nextWaitingAgent': nextWaitingAgent,
  'worktreeStacks.showWaitingAgents': showWaitingAgents,
  'worktreeStacks.showDecisions': showDecisions,
  'worktreeStacks.installClaudePlugin': installClaudePlugin,
  'worktreeStacks.installDatabase': installDatabase,
  'worktreeStacks.startTask': startTask,
  'worktreeStacks.startTaskWithClaude': startTaskWithClaude,
  'worktreeStacks.openTask': openTask,
  'worktreeStacks.openSessionFile': openSessionFile,
  'worktreeStacks.openSessionMerge': openSessionMergeCommand,
  'worktreeStacks.openMergeAsText': openMergeAsText,
  'worktreeStacks.acceptMerge': acceptMerge,
  'worktreeStacks.nextToReview': nextToReview,
  'worktreeStacks.previousToReview': previousToReview,
  'worktreeStacks.signIn': signInCommand,
  'worktreeStacks.push': pushCommand,
  'worktreeStacks.pushStack': pushStackCommand,
  'worktreeStacks.rebaseAndPushStack': rebaseAndPushCommand,
  'worktreeStacks.createPullRequest': createPullRequestCommand,
  'worktreeStacks.updatePullRequest': updatePullRequestCommand,
  'worktreeStacks.stackPullRequests': stackPullRequestsCommand,
  'worktreeStacks.openInBrowser': openInBrowserCommand,
  'worktreeStacks.openPullRequest': openPullRequestCommand,
  'worktreeStacks.copyPullRequestLink': copyPullRequestLinkCommand,
  'worktreeStacks.watchChecks': watchChecksCommand,
  'worktreeStacks.watchStackChecks': watchStackChecksCommand,
  'worktreeStacks.stopWatching': stopWatchingCommand,
  'worktreeStacks.openSettings': openSettings,
  'worktreeStacks.showProblems': showProblems,
  'worktreeStacks.refresh': refresh,
  'worktreeStacks.doctor': runDoctor,
  'worktreeStacks.getStarted': async (services, argument) => getStarted(services, argument as GetStartedOptions),
  'worktreeStacks.showLog': async ({ channel }) => channel.show(),
};
