import { messages } from './message.ts';

/** What `core/hooks` has to say. */
export const hooksMessages = messages('hooks', {
  running: 'Running {event}: {command}',
  folderMissing: 'The {event} commands were skipped: there is no folder {folder}.',
  notApproved: {
    one: 'The {event} command was not run, because you have not approved it: {commands}',
    other: 'The {event} commands were not run, because you have not approved them: {commands}',
  },
  approveAfter: {
    terminal: '`wt hooks {word} --approve --run {event}` approves them and runs them',
    editor: 'Run {event} for {name} from a terminal to approve them.',
  },
  nextIs: 'Next: {next}.',
  stoppedUnapproved: {
    one: 'Nothing was done: the {event} command has to run first, and you have not approved it.',
    other: 'Nothing was done: {count} {event} commands have to run first, and you have not approved them.',
  },
  approveOrSkip: {
    terminal: '`wt hooks --approve` approves them; `--no-hooks` goes on without them',
    remedies: [{ kind: 'retry' }, { kind: 'withoutHooks' }],
  },
  stopped: 'Nothing was done: the {event} command {how}: {command}',
  correctOrSkip: {
    terminal: 'correct what is wrong and run this again, or run it with `--no-hooks`',
    editor: 'correct what is wrong and try again',
    remedies: [{ kind: 'retry' }, { kind: 'withoutHooks' }],
  },
  longerOrSkip: {
    terminal:
      'give it more time with `hooks.timeout` in {file}, let it run in the background where it may, or run this with `--no-hooks`',
    editor: 'give it more time with `hooks.timeout` in {file}',
    remedies: [{ kind: 'openSettings' }, { kind: 'withoutHooks' }],
  },
  failedAfter: 'The {event} command {how}: {command}. What it printed is in {output}.',
  moreTime: 'Give it more time with `hooks.timeout` in {file}, or let it run in the background.',
  timedOut: 'had not ended after {seconds} s and was ended',
  calledOff: 'was called off',
  notStarted: 'could not be started ({reason})',
  inBackground: 'Running in the background: {command}. What it prints is kept in {output}.',
  notRead: 'The {event} commands were not run: {reason}',
  unknownRun: 'There is no kept run {id}.',
});
