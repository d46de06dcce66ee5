import { messages } from './message.ts';

/** What `core/texts` has to say. */
export const textsMessages = messages('texts', {
  noCommand: 'No command that writes texts is configured.',
  configureCommand: 'write `generate: claude -p` (or another command that answers what it reads) into {file}',
  writing: 'Waiting for a text',
  failed: 'The program that writes texts failed ({how}): {program}',
  tookTooLong: 'The program that writes texts was ended after {seconds} seconds: {program}',
  giveMoreTime: 'give it more time with `timeout`, a key of `generate` in {file}',
  tooMuch: 'The program that writes texts printed far more than a text, and was ended: {program}',
  nothingWritten: 'The program that writes texts wrote none: {program}',
  noName: 'The command that writes texts wrote {name}, which is no name for a worktree.',
  nothingFromModel: 'The model wrote nothing that could be used.',
  writeItYourself: 'try again, or write it yourself',
  nothingToWriteAbout: 'There is nothing to write about: no changes were found.',
  editorFailed: 'The editor failed ({how}), so the text is not used: {editor}',
  setEditor: 'set `core.editor` of git to one that works here',
  leftEmpty: 'The text was emptied, so nothing was done.',
});
