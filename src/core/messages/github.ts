import { messages } from './message.ts';

/** What `core/github` has to say. */
export const githubMessages = messages('github', {
  rebaseAndPush: {
    terminal: 'rebase and push {head}, then `wt pr {head}`',
    editor: 'rebase and push {head}, then open its pull request',
    remedies: [{ kind: 'rebase', worktree: '{head}' }],
  },
  pushedBefore: {
    one: '{what} {names} was pushed before: {remote} does not take several branches all or none.',
    other: '{what} {names} were pushed before: {remote} does not take several branches all or none.',
  },
  runWhereAsked: {
    terminal: 'run `{command}` where GitHub can be asked',
    editor: 'try again where GitHub can be asked',
    remedies: [{ kind: 'retry' }],
  },
  authoriseToken: {
    text: 'authorize the token for the organization: {address}',
    remedies: [{ kind: 'openUrl', url: '{address}' }],
  },
  giveTokenPermission: 'give the token from {source} the permission `{permissions}`',
  checkToken: 'check that the token from {source} may see and change this repository (scope `repo`)',
  tryLater: { text: 'try again later', remedies: [{ kind: 'retry' }] },
  signInAnew: {
    terminal: 'sign in anew with `gh auth login --hostname {host}`, or set a valid token',
    editor: 'sign in again to {host}',
    remedies: [{ kind: 'signIn' }],
  },
  takeOverByRebase: {
    terminal: 'take them over: `wt rebase {name}`, then push again',
    editor: 'take them over by a rebase, then push again',
    remedies: [{ kind: 'rebase', worktree: '{name}' }],
  },
  takeOverByHand: {
    terminal: 'take over those that are wanted, such as with `{command}`, then push again',
    editor: 'take over those that are wanted, then push again',
  },
  remoteNotGithub: 'The remote {remoteName} is not on GitHub.',
  repositoryNoRemote: 'This repository has no remote, so it has no pull requests.',
  addOneGithub: {
    terminal: 'add one on GitHub: `git remote add origin <address>`',
    editor: 'add one on GitHub',
    remedies: [{ kind: 'addRemote' }],
  },
  notGithubPull: '{host} is not GitHub; pull requests are known only there.',
  everythingElseWorks: {
    terminal: 'everything else works with it: `wt push`, `wt rebase`',
    editor: 'everything else works with it: pushing, rebasing',
  },
  noToken: 'There is no token for {host}, so it cannot be asked about pull requests.',
  signGhAuth: {
    terminal: 'sign in with `gh auth login --hostname {host}`, or set {tokenVariable}',
    editor: 'sign in to {host}',
    remedies: [{ kind: 'signIn' }],
  },
  notAddressSuch: '{apiVariable} is not an address such as https://github.example.com/api/v3.',
  correctUnset: 'correct or unset {apiVariable}',
  cannotWatchedFolder: '{name} cannot be watched: its folder {path} is not there as it should be.',
  listSaysWhatIsWrong: {
    terminal: '`wt list` says what is wrong with it',
    editor: 'the Worktrees view says what is wrong with it',
  },
  noPullRequest: '{name} has no pull request to watch.',
  openOne: {
    terminal: 'open one: `wt pr {name}`',
    editor: 'open one',
    remedies: [{ kind: 'createPullRequest', worktree: '{name}' }],
  },
  watchedNoLonger: '{names} is no longer watched: its marker or the worktree was removed.',
  watchedAlready: '{name} is watched already, {by}.',
  letOneTell: 'wait for that poll; or end it, and run the command again',
  letOneTellNone: 'wait for that poll; if there is none, remove {file}, and run the command again',
  pullRequestsDifferent: 'The pull requests are in different stacks on GitHub already.',
  takeThemApart: 'take them apart there, and run the command again',
  pullRequestClosed: 'The pull request #{number} of {name} was closed.',
  reopenOrReplace: {
    terminal: 'reopen it at {url} and run the command again, or open another one: `wt pr {name} --replace`',
    editor: 'reopen it on GitHub ({url}), or open another one for {name}',
  },
  gotNoPull: '{name} got no pull request: its branch has no base.',
  workWorktreeOwn: {
    terminal: 'work in a worktree of its own: `wt create <name>`',
    editor: 'work in a worktree of its own',
    remedies: [{ kind: 'createWorktree' }],
  },
  gotNoPullRequest: '{name} got no pull request: it has no commits of its own.',
  commitSomethingFirst: 'commit something first',
  gotNoPullRequestBranch:
    '{name} got no pull request: it has #{number}, which is of the branch {headBranch}, and that one is called {branch} here now.',
  keepGitBranch: {
    terminal:
      'keep it: `git branch -m {branch} {headBranch}`; or open another one that names it: `wt pr {name} --replace`',
    editor: 'to keep it, rename the branch {branch} to {headBranch}; or open another one for {name}',
  },
  pullRequestStill:
    'Pull request #{number} is still into {from}: {to} is not on GitHub, or has all of its commits, so that GitHub would close it as merged.',
  noDrafts: "{name} got no pull request: drafts are not part of this repository's plan.",
  openReady: {
    terminal: 'to open it ready for review: `wt pr {name} --no-draft`',
    editor: 'open it ready for review',
  },
  nothingToOpen: '{name} got no pull request: it has no commits that {base} has not.',
  baseNotOnGitHub: '{name} got no pull request: its base {base} is not on GitHub.',
  openStack: {
    terminal: 'open those of its bases as well: `wt pr {name} --stack`',
    editor: 'open the pull requests of its bases as well',
  },
  notPushedBase: '{name} was not pushed: its base commit is not known.',
  pushLeaseInstead: {
    terminal: 'push it with a lease instead: `wt push {name} --rewrite`',
    editor: 'force-push it with lease instead',
    remedies: [{ kind: 'forcePush', worktree: '{name}' }],
  },
  notPushed: '{name} was not pushed: {why}.',
  cannotJoinedPushed: '{branch} cannot be joined with what was pushed: merges were made on it since.',
  pushStackWithLease: {
    terminal: 'push it with a lease instead: `wt push {partedName} --rewrite`',
    editor: 'force-push it with lease instead',
    remedies: [{ kind: 'forcePush', worktree: '{partedName}' }],
  },
  noRemoteNamed: 'There is no remote named {chosen} to push {branch} to.',
  addRemote: {
    terminal: 'add one: `git remote add origin <address>`',
    editor: 'add one',
    remedies: [{ kind: 'addRemote' }],
  },
  chooseOneStack: {
    terminal: 'choose one with `stack.remote` in .worktrees.yml, or with `git config remote.pushDefault <remote>`',
    editor: 'choose one with `stack.remote` in .worktrees.yml',
    remedies: [{ kind: 'openSettings' }],
  },
  pushedNotGithub: '{branch} is pushed to {remoteName}, which is not on GitHub.',
  pushRemoteGithub: {
    terminal: 'push it to a remote on GitHub: `git config remote.pushDefault <remote>`',
    editor: "push it to a remote on GitHub (git's setting remote.pushDefault)",
    remedies: [{ kind: 'addRemote' }],
  },
  baseInFork: '{name} got no pull request: it is based on {base}, which is in your fork and not in {repository}.',
  remote: '<remote>',
  pushStackThere: {
    terminal:
      '{wait}with the right to push there, push the stack to that repository (`git config remote.pushDefault {remote}`)',
    editor:
      "{wait}with the right to push there, push the stack to that repository (git's setting remote.pushDefault: {remote})",
  },
  didNotTakes: '{host} did not {what}: it takes no more requests for now.',
  couldNotAsked: '{host} could not be asked to {what}: {networkMessage}.',
  doesNotAccept: '{host} does not accept the token from {tokenFrom}.',
  noSuchThing: ': there is no such thing, or the token may not see it',
  http: ' (HTTP {status})',
  hostReason: ': {reason}{code}',
  refused: '{host} did not {what}{why}.',
  notPushedSomebody: '{branch} was not pushed: somebody else changed it on {remote} at the same moment.',
  notPushedRules: '{branch} was not pushed: rules of {remote} protect it.',
  notPushedHook: '{branch} was not pushed: a hook of {remote} refused it.',
  notPushedRefused: '{branch} was not pushed: {remote} refused it ({reason}).',
  notPushedRepository: "{what} was not pushed: the repository's pre-push hook refused it.",
  cannotReach: '{what} was not pushed: {remote} cannot be reached.',
  notPushedDoes: '{what} was not pushed: {remote} does not let you in.',
  notPushedNo: '{what} was not pushed: there is no repository at {remote}, or you may not see it.',
  notPushedAtAll: '{what} was not pushed.',
  notPushedPushed:
    '{what} was not pushed: {remoteName} is pushed to several addresses, which do not have the same commits of {branch}.',
  notPushedPull:
    '{name} was not pushed: its pull request #{factNumber} is closed and its branch deleted on GitHub, and once other commits are there nobody can reopen it.',
  notPushedPullRequest:
    '{name} was not pushed: its pull request #{factNumber} waits in the merge queue, and a push takes it out.',
  notPushedCommits: '{name} was not pushed: {place} has commits of somebody else that are not in it.',
  notPushedParted: {
    terminal:
      '{name} was not pushed: it parted from what was pushed, and only branches that wt has made may replace that.',
    editor:
      '{name} was not pushed: it parted from what was pushed, and only branches that Worktree Stacks has made may replace that.',
  },
  notPushedCommitsPushed:
    '{name} was not pushed: commits that were pushed have been changed since, by an amend or a reset.',
  notPushedPullRequestClosed:
    '{name} was not pushed: its pull request #{factNumber} is closed, and once commits of it are replaced nobody can reopen it.',
  notPushedPullRequestApproved:
    '{name} was not pushed: its pull request #{factNumber} is approved, and replacing its commits can undo that.',
  notPushedAnothers: '{name} was not pushed: its branch belongs to {author}, and the push would replace commits there.',
  notPushedRebased:
    '{name} was not pushed: it was rebased after it was pushed, and `after_rebase: refuse` in .worktrees.yml forbids force pushes.',
  notPushedPullRequestMerged: '{name} was not pushed: its pull request #{number} was merged.',
  noBranchChecked: 'no branch is checked out in it',
  trunkWtNever: {
    terminal: '{branch} is the trunk, which wt never pushes',
    editor: '{branch} is the trunk, which is never pushed',
  },
  madeBranchChecked: 'it was made for the branch {entryBranch}, and {branch} is checked out in it',
  noCommitYet: '{branch} has no commit yet',
  wouldCountAsMerged: {
    one: 'Nothing was pushed: GitHub would take {names} for merged and close it for good, in whatever order it is done.',
    other:
      'Nothing was pushed: GitHub would take {names} for merged and close them for good, in whatever order it is done.',
  },
  pullRequestInto: 'Pull request #{number} is {state}, and into {branch}.',
  cannotAskForBase:
    'Nothing was pushed: GitHub would take {names} for merged, and could not be asked for another base first.{why}',
  pullRequestGone: '{host} has no pull request #{number} of {name}.',
  againLooksNow: {
    terminal: 'run `{command}` again; it looks at what is there now',
    editor: 'try again; what is there now is read anew',
    remedies: [{ kind: 'retry' }],
  },
  rulesNamedBelow: {
    terminal: 'the rules are named below; ask whoever keeps them, or push to another branch',
    editor: 'the log names the rules; ask whoever keeps them, or push to another branch',
  },
  correctNamesPush: 'correct what it names, and push again',
  saysBelow: { terminal: 'what it says is below', editor: 'see the log for what it says' },
  correctHookNames: {
    terminal: 'correct what the hook names, then run `{command}` again',
    editor: 'correct what the hook names in the log, then try again',
    remedies: [{ kind: 'retry' }],
  },
  checkNetworkTry: { text: 'check the network, and try again', remedies: [{ kind: 'retry' }] },
  checkSignIn: {
    terminal: 'check how git signs in there (`gh auth setup-git`, or your ssh key)',
    editor: 'check how git signs in there',
  },
  checkAddress: {
    terminal: 'check its address: `git remote get-url --push {remote}`',
    editor: 'check the address of the remote {remote}',
  },
  gitsWordsBelow: { terminal: "git's own words are below", editor: "see the log for git's own words" },
  againVerbose: { terminal: 'run it again with --verbose', editor: 'see the log' },
  pushYourselfRight: {
    terminal: 'push it yourself if that is right, or make its worktree with `wt create`',
    editor: 'push it yourself if that is right, or make its worktree',
    remedies: [{ kind: 'createWorktree' }],
  },
  canGo: {
    terminal: 'if what is on {remoteName} may be replaced: `{command}`',
    editor: 'if what is on {remoteName} may be replaced, force-push with lease',
  },
  reopenGithubReplace: {
    terminal: 'reopen it on GitHub, replace it (`wt pr {name} --replace`), or push all the same: `{command}`',
    editor: 'reopen it on GitHub, open another one, or force-push with lease all the same',
    remedies: [{ kind: 'forcePush', worktree: '{name}' }],
  },
  ifRight: { terminal: 'if that is right: `{command}`', editor: 'if that is right, force-push with lease' },
  oneRight: { terminal: 'if this one is right: `{command}`', editor: 'if this one is right, push it' },
  checkOneOut: { terminal: 'check one out: `git -C {path} switch …`', editor: 'check a branch out in {path}' },
  switchBack: {
    terminal: 'switch back: `git -C {path} switch {entryBranch}`',
    editor: 'check out {entryBranch} in {path} again',
  },
  commitSomething: 'commit something',
  tryAgainIn: { one: 'try again in 1 minute', other: 'try again in {count} minutes' },
  checkNetwork: {
    text: 'check the network and try again; everything local works without it',
    remedies: [{ kind: 'retry' }],
  },
  bringThemTogether: {
    terminal:
      'bring them together first (`git push <address> {branch}`), or push to one of them alone (`git remote set-url --delete --push {remoteName} <address>`)',
    editor: 'bring the commits of {branch} together first, or push to one of the addresses of {remoteName} alone',
  },
  restoreBranchReopen: {
    terminal:
      'restore the branch there and reopen it, replace it (`wt pr {name} --replace`), or push all the same: `wt push {name} --rewrite`',
    editor: 'restore the branch there and reopen it, or open another one for {name}',
  },
  waitUntilMerged: {
    terminal: 'wait until it is merged; to push all the same: `wt push {name} --force`',
    editor: 'wait until {name} is merged',
  },
  cleanupAndGoOn: {
    terminal: '`wt cleanup {name}`, and go on in a new worktree',
    editor: 'remove it, and go on in a new worktree',
    remedies: [{ kind: 'removeWorktree', worktree: '{name}' }],
  },
  address: ' ({url})',
  giveAnotherBase: {
    terminal: {
      one: 'give it another base on GitHub, or close it yourself{url}, then run `{command}` again',
      other: 'give them another base on GitHub, or close them yourself{url}, then run `{command}` again',
    },
    editor: {
      one: 'give it another base on GitHub, or close it yourself{url}, then try again',
      other: 'give them another base on GitHub, or close them yourself{url}, then try again',
    },
    remedies: [{ kind: 'retry' }],
  },
  lookAtIt: { text: 'see {url}', remedies: [{ kind: 'openUrl', url: '{url}' }] },
  openByCommand: {
    terminal: '`wt pr {targetName}`',
    editor: 'open its pull request',
    remedies: [{ kind: 'createPullRequest', worktree: '{targetName}' }],
  },
  cleanUp: { terminal: 'wt cleanup {name}', editor: 'remove {name}' },
  timeLeft: ', about {time} left',
  waiting: 'Waiting {seconds} s, because {host} asks for it',
  waitingForHour: 'Waiting {time}: GitHub accepts {most} changes an hour, and these were made',
  noAnswerInTime: 'it did not answer in time',
  requestFailed: 'the request failed',
  askPullRequests: 'tell about the pull requests',
  askStacks: 'list the stacks',
  askRegisterStack: 'register the stack',
  pullOrIssueUnknown: 'GitHub has no pull request or issue #{number} in {repository} that your account can see.',
  pullUnknown: 'GitHub has no pull request #{number} in {repository} that your account can see.',
  issueUnknown: 'GitHub has no issue #{number} in {repository} that your account can see.',
  checkNumberOrAccount: {
    terminal: 'check the number; for a private repository give `wt` a token that may read it (`gh auth login`)',
    editor: 'check the number, or sign in with an account that may read the repository',
    remedies: [{ kind: 'signIn' }],
  },
  pullElsewhere: '{address} is of another repository than this one, {repository}.',
  openThatRepository: 'open that repository and try again there',
  pullHere: 'Pull request #{number} is checked out already, in {path}.',
  goOnThere: {
    terminal: 'run `wt switch {name}` to go on there',
    editor: 'go on in that worktree',
    remedies: [{ kind: 'openWorktree', worktree: '{name}' }],
  },
  pullNotFetched: 'The commits of #{number} could not be fetched from {place}.',
  fetchByHand: {
    terminal: 'see what git says below; `git fetch {place} refs/pull/{number}/head` must succeed',
    editor: 'see the log, and check that you can fetch from {place}',
    remedies: [{ kind: 'retry' }],
  },
  pullOfAnother: '#{number} is a pull request of {owner}, so nothing of it is changed from {name}.',
  pushToAuthor: {
    terminal: 'run `wt push {name}` to add your commits to it, as {owner} lets you',
    editor: 'push your commits to it, as {owner} lets you',
    remedies: [{ kind: 'openUrl', url: '{url}' }],
  },
  pushOrTakeOver: {
    terminal:
      'run `wt push {name}` to add your commits to it, or `wt pr {name} --take-over` to change its base and its text all the same',
    editor: 'push your commits to it, or change its base and its text all the same',
    remedies: [{ kind: 'openUrl', url: '{url}' }],
  },
  pullOfAnotherAsIs: '#{number} is a pull request of {author}, and stays as it is',
  basePullOfAnother: {
    terminal:
      'Pull request #{number} of {name} is one of {author}, so it stays into {into}; `wt pr {word} --take-over` gives it {base}.',
    editor: 'Pull request #{number} of {name} is one of {author}, so it stays into {into}.',
  },
  allowEditsOrGoOn: {
    terminal:
      'ask {owner} to allow edits by maintainers, or go on in a branch of your own: `wt create <name> --base {name}`',
    editor: 'ask {owner} to allow edits by maintainers, or go on in a branch of your own',
    remedies: [
      { kind: 'openUrl', url: '{url}' },
      { kind: 'createWorktree', base: '{branch}' },
    ],
  },
  forkOfPullGone: 'The repository that #{number} came from is gone, so nothing of {name} can be added to it.',
  openOwnInPlace: {
    terminal: 'run `wt pr {name} --replace` to open one of your own in its place',
    editor: 'open a new pull request in its place',
    remedies: [{ kind: 'openUrl', url: '{url}' }],
  },
  pullIsOver: '#{number} is {state}: what is pushed to its branch does not reopen it.',
  forkGone: 'The repository that #{number} came from is gone, so its branch follows nothing.',
  branchOfPullGone: 'The branch of #{number} is gone from {repository}, so it follows nothing.',
  branchOfAnother: {
    terminal: '{branch} is the branch of {author}: `wt push` pushes to it.',
    editor: '{branch} is the branch of {author}: a push goes to it.',
  },
  pushedToAnother: 'The branch of {name} belongs to {author}.',
  noEditsByOthers: '#{number} does not allow edits by maintainers: only who may push to {fork} can push to it.',
  fetchingPull: 'Fetching #{number}',
  askAddToStack: 'add to the stack',
  askChanged: 'tell whether anything has changed',
  askIssue: 'show issue #{number}',
  askPullRequest: 'show pull request #{number}',
  askChecks: 'show the checks of {commit}',
  askRepository: 'tell about {repository}',
  askPullRequestsOf: 'list the pull requests of {branch}',
  askAllPullRequests: 'list the pull requests',
  askPullRequestsInto: 'list the pull requests into {base}',
  askOpen: 'open a pull request of {branch}',
  askReopen: 'reopen pull request #{number}',
  askChange: 'change pull request #{number}',
  askTip: 'tell the last commit of {branch}',
  askRestore: 'restore the branch {branch}',
  askDelete: 'delete the branch {branch}',
  reopening: 'Reopening pull request #{number}',
  changingBase: 'Pull request #{number}: into {base}',
  watching: { one: 'Watching pull request #{number}', other: 'Watching {count} pull requests' },
  askingGitHub: 'Asking GitHub about pull requests',
  askingDependents: 'Asking GitHub what is based on it',
  askingRemote: 'Asking {remote} for its branches',
  pullRequestOf: 'Pull request of {name} ({index} of {all}{time})',
  updatingTable: 'Updating the table of the stack in #{number}{time}',
  pushing: 'Pushing {what} to {remote}',
  theBranch: 'the branch',
  stackOf: 'the stack of {count} branches',
  branchAt: '{branch} at {address}',
  baseChanged: 'Pull request #{number} is into {base} now, instead of {before}.',
  baseChangedBecause: 'Pull request #{number} is into {base} now, instead of {before}: {why}.',
  baseChangedContained:
    'Pull request #{number} is into {base} now, instead of {before}, since all of its commits are there: GitHub would count it as merged. Close it if it is not needed.',
  branchRenamed: {
    terminal:
      'Pull request #{number} of {name} is of the branch {former}, which is called {branch} here now, and stays as it is; `wt pr {word}` says what can be done.',
    editor:
      'Pull request #{number} of {name} is of the branch {former}, which is called {branch} here now, and stays as it is.',
  },
  pushedElsewhere:
    '{remote} is pushed to {addresses}, which is not where it is fetched from; the branches there were read from there.',
  remoteChosen: {
    terminal:
      'Of the remotes {remotes} wt took {taken}, since none is chosen. To follow another one: `stack.remote: {other}` in .worktrees.yml, and `git config remote.pushDefault {taken}` to go on pushing to {taken}.',
    editor:
      'Of the remotes {remotes}, {taken} was taken, since none is chosen. To follow {other}, set `stack.remote` in .worktrees.yml.',
    remedies: [{ kind: 'openSettings' }],
  },
  leftElsewhere: {
    terminal:
      'Pull request #{number} of {name} is into {into} on GitHub, and was left there; `wt pr {word}` gives it {base}, `wt move {word} --onto {onto}` accepts it.',
    editor:
      'Pull request #{number} of {name} is into {into} on GitHub, and was left there; update it to give it {base}, or move the branch onto {onto}.',
  },
  skippedClosed: {
    terminal: {
      one: '{closed} is closed and its branch was not pushed; after that is reopened or replaced, `wt pr {word}` sets the base again',
      other:
        '{closed} are closed and their branches were not pushed; after that is reopened or replaced, `wt pr {word}` sets the base again',
    },
    editor: {
      one: '{closed} is closed and its branch was not pushed; after that is reopened or replaced, an update of the pull request of {word} sets the base again',
      other:
        '{closed} are closed and their branches were not pushed; after that is reopened or replaced, an update of the pull request of {word} sets the base again',
    },
  },
  heldEmpty:
    '{name} was not pushed: it has no commits of its own any more, and its pull request would count as merged; close that if it is not needed.',
  heldEmptyPull:
    '{name} was not pushed: it has no commits of its own any more, and its pull request #{number} would count as merged; close that if it is not needed.',
  lostWithBase: {
    terminal:
      'Pull request #{number} of {name} was closed with its base and cannot be reopened any more: `wt pr {name}` opens another one.',
    editor:
      'Pull request #{number} of {name} was closed with its base and cannot be reopened any more: open another one.',
    remedies: [{ kind: 'createPullRequest', worktree: '{name}' }],
  },
  isClosed: {
    terminal:
      'Pull request #{number} of {name} is closed: reopen it at {url}, or open another one with `wt pr {name} --replace`.',
    editor: 'Pull request #{number} of {name} is closed: reopen it on GitHub, or open another one.',
    remedies: [{ kind: 'openUrl', url: '{url}' }],
  },
  theChecks: 'the checks',
  theMergeQueue: 'the merge queue',
  theRules: 'the rules of the base',
  theCommits: 'the commits',
  thePullRequests: 'the pull requests',
  notShown: '{host} does not show {what} to this token: a fine-grained one needs the permission {permissions}.',
  byProcess: 'by process {pid} on {host}',
  byUnknownProcess: 'by a process that its marker does not name',
  mergedElsewhere: '#{number} was merged into {base}, and not into its base',
  wasInto: 'it was into {base} before; its text stays as it is',
  replacesLost:
    'it takes the place of #{number}, which was closed when its base was deleted and cannot be reopened any more',
  replacesClosed: 'it takes the place of #{number}, which is closed',
  replacesRenamed: 'it takes the place of #{number} of {branch}, which stays open until somebody closes it: {url}',
  leftAlone: '#{number} of the same branch is into {base}, and was left alone',
  staysInStack: "it stays on {base}, because it is in a stack of GitHub's own",
  staysOnBase: 'it stays on {base}: {wanted} is not on GitHub, or has all of its commits',
  basesMerged: {
    terminal: '{branches} was merged; run `wt rebase {name}`',
    editor: '{branches} was merged; rebase {name}',
    remedies: [{ kind: 'rebase', worktree: '{name}' }],
  },
  openLowestFirst: {
    terminal: '`wt pr {lowest}`, and when that is merged `wt rebase {name}`; or, ',
    editor: 'open the pull request of {lowest} first, and rebase when that is merged; or, ',
  },
  trunkOfFork: {
    terminal:
      '`wt rebase` follows the trunk of {configured}, not that of {repository}; to follow that one: `stack.remote: {remote}` in .worktrees.yml, and `git config remote.pushDefault {configured}`',
    editor:
      'a rebase follows the trunk of {configured}, not that of {repository}; to follow that one, set `stack.remote: {remote}` in .worktrees.yml',
    remedies: [{ kind: 'openSettings' }],
  },
  trunkOfForkAdd: {
    terminal:
      '`wt rebase` follows the trunk of {configured}, not that of {repository}; to follow that one: `git remote add {remote} <address>`, `stack.remote: {remote}` in .worktrees.yml, and `git config remote.pushDefault {configured}`',
    editor:
      'a rebase follows the trunk of {configured}, not that of {repository}; to follow that one, add it as the remote {remote} and set `stack.remote: {remote}` in .worktrees.yml',
    remedies: [{ kind: 'addRemote' }, { kind: 'openSettings' }],
  },
  pullInto: '#{number} of {name} into {into}',
  outdatedBase: {
    terminal:
      'GitHub still has {pulls}: `wt pr {word} --stack` pushes what has moved and gives it {base}, in an order in which nothing counts as merged.',
    editor: 'GitHub still has {pulls}: update the pull requests of the stack to give it {base}.',
  },
  outdatedBases: {
    terminal:
      'GitHub still has {pulls}: `wt pr {word} --stack` pushes what has moved and sets the new bases, in an order in which nothing counts as merged.',
    editor: 'GitHub still has {pulls}: update the pull requests of the stack to set the new bases.',
  },
});
