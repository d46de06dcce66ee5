import { win32 } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { valueOf } from '../base/windowsVariables.ts';
import { isRuntime } from './launcherFile.ts';

/*
 * Launchers for cmd.exe. It fills in variables before it reads a line or a block in brackets: a bracket in a path, as in `Program Files
 * (x86)`, would end the block. So there are no blocks, only jumps, and every path is between quotes.
 */

/** What a launcher starts. */
export interface BatchStart {
  /** The JavaScript runtime, an absolute path. */
  readonly runtime: string;
  readonly program: string;
  readonly variables: Environment['variables'];
}

/** Folders that Windows names in variables; the name of a person may be in their paths. */
const named = ['LOCALAPPDATA', 'APPDATA', 'USERPROFILE'];

/**
 * A path between the quotes of a batch file, where only a percent sign means something. Such a file is read in the code page of the console,
 * which no other character is sure to be in: those that come from a variable are in none.
 */
function batchPath(path: string, variables: Environment['variables']): string {
  const escaped = (text: string): string => text.replaceAll('%', '%%');
  if (isPlain(path)) return escaped(path);
  for (const name of named) {
    const folder = valueOf(variables, name);
    if (folder && !isPlain(folder) && path.toLowerCase().startsWith(`${folder.toLowerCase()}\\`))
      return `%${name}%${escaped(path.slice(folder.length))}`;
  }
  return escaped(path);
}

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

function launcher({ runtime, program, variables }: BatchStart, start: string): string {
  const asNode = isRuntime(win32.basename(runtime)) ? '' : 'set "ELECTRON_RUN_AS_NODE=1"\n';
  const [programPath, runtimePath] = [batchPath(program, variables), batchPath(runtime, variables)];
  const codePage = isPlain(programPath + runtimePath) ? '' : 'chcp 65001 >nul\n';
  const text = `@echo off
rem Written by Worktree Stacks, and anew whenever it differs. Starts the bundled program.
setlocal EnableExtensions DisableDelayedExpansion
${codePage}set "PROGRAM=${programPath}"
set "RUNTIME=${runtimePath}"
if not exist "%PROGRAM%" goto missing
if not exist "%RUNTIME%" goto look
${asNode}goto start
:look
set "RUNTIME="
for %%E in (node.exe) do if not "%%~$PATH:E"=="" set "RUNTIME=%%~$PATH:E"
if not defined RUNTIME goto noruntime
:start
${start}
:missing
echo Worktree Stacks: "%PROGRAM%" is missing; reinstall Worktree Stacks, then run wt doctor --fix. 1>&2
exit /b 2
:noruntime
echo Worktree Stacks: no JavaScript runtime was found; install Node.js 20 or later. 1>&2
exit /b 2
`;
  return text.replaceAll('\n', '\r\n');
}

/** The text of a batch file that starts a program with all of its arguments, and has its exit code. */
export function batchStart(start: BatchStart): string {
  return launcher(start, '"%RUNTIME%" "%PROGRAM%" %*\nexit /b %ERRORLEVEL%');
}

/**
 * The text of a batch file that starts a hook and fails closed, as the launcher for a POSIX shell does. A batch file cannot hold output back
 * in a variable, so a file in a folder of its own does: other hooks run at the same moment.
 *
 * @param options of Node, for a fast start.
 */
export function batchHook(start: BatchStart, options: readonly string[]): string {
  const quick = /^node(?:js)?(?:\.exe)?$/i.test(win32.basename(start.runtime));
  return launcher(
    start,
    String.raw`set "NODE_OPTIONS="
set "NODE_EXTRA_CA_CERTS="
set "MUST_ANSWER="
set "ARGUMENTS=%*"
if not "%~1"=="--must-answer" goto folder
set "MUST_ANSWER=yes"
set "ARGUMENTS=%ARGUMENTS:*--must-answer=%"
:folder
set "TRIES=0"
:again
set /a TRIES+=1
if %TRIES% GTR 50 goto nofolder
set "FOLDER=%TEMP%\worktree-stacks-%RANDOM%-%RANDOM%-%RANDOM%"
mkdir "%FOLDER%" 2>nul
if errorlevel 1 goto again
set "ANSWER=%FOLDER%\answer.txt"
${quick ? `"%RUNTIME%" ${options.join(' ')} "%PROGRAM%" %ARGUMENTS% >"%ANSWER%"\nset "CODE=%ERRORLEVEL%"\nif not "%CODE%"=="9" goto ended\n` : ''}"%RUNTIME%" "%PROGRAM%" %ARGUMENTS% >"%ANSWER%"
set "CODE=%ERRORLEVEL%"
:ended
if "%CODE%"=="2" goto refused
if not "%CODE%"=="0" goto failed
set "LINE="
set /p LINE=<"%ANSWER%"
if not defined LINE goto silent
"%RUNTIME%" -e "process.exit(/^\{[^]*\}$/.test(require('node:fs').readFileSync(process.argv[1],'utf8').trim())?0:1)" "%ANSWER%"
if errorlevel 1 goto strange
type "%ANSWER%"
rmdir /s /q "%FOLDER%" 2>nul
exit /b 0
:silent
rmdir /s /q "%FOLDER%" 2>nul
if not defined MUST_ANSWER exit /b 0
echo Worktree Stacks: the hook gave no answer, so nothing is allowed. 1>&2
exit /b 2
:refused
rmdir /s /q "%FOLDER%" 2>nul
exit /b 2
:failed
rmdir /s /q "%FOLDER%" 2>nul
echo Worktree Stacks: the hook ended with exit code %CODE%, so nothing is allowed. 1>&2
exit /b 2
:strange
rmdir /s /q "%FOLDER%" 2>nul
echo Worktree Stacks: the hook gave no answer that can be understood, so nothing is allowed. 1>&2
exit /b 2
:nofolder
echo Worktree Stacks: no folder could be made in "%TEMP%", so nothing is allowed. 1>&2
exit /b 2`,
  );
}
