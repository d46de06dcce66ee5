import { messages } from './message.ts';

/** What `core/base` has to say. */
export const baseMessages = messages('base', {
  cancelled: 'Cancelled; nothing was left behind.',
  changedAnotherProgram: '{file} was changed by another program again and again.',
  saveCloseTry: 'save and close it there, then try again',
  notUtf8: '{file} is not UTF-8 text.',
  saveUtf8: 'save it as UTF-8, or move it away',
  couldNotDeleted: '{folder} could not be deleted completely: {cause}.',
  processSince: 'process {ownerPid} on {host} since {since}',
  unknownProcess: 'an unknown process',
  isLockedBy: '{file} is locked by {detail}.',
  waitProcessEnd: 'wait for process {ownerPid} to end, then try again',
  nothingElseRunning: 'if nothing else is running, remove {lockOf} and try again',
  text: '{doing} {file}: {what}.',
  text2: '{doing}: {at} {what}.',
  mayNot: '{doing}: you may not {act} {folder}.',
  lineLeft: '{file}, line {line}: {what}. It was left as it is.',
  correctMoveFile: 'correct it there, or move the file away',
  shellCouldNot: 'The shell {shell} could not be started: {thrown}.',
  aFile: '{doing} a file: {what}.',
  couldNotStarted: '{program} could not be started: {why}.',
  installCorrectPath: 'install {program}, or correct the path to it',
});
