@echo off
rem Starts Worktree Stacks on Windows where no POSIX shell does: see the file wt beside this one, which says what each part is for.
rem Without blocks in brackets: a bracket in a path would end one.
setlocal EnableExtensions DisableDelayedExpansion
set "PLUGIN=%~dp0.."
set "NAME=wt.js"
set "EVENT="
if not "%~1"=="hook" goto find
set "NAME=hook.js"
set "EVENT=%~2"
set "ARGUMENTS=%*"
set "ARGUMENTS=%ARGUMENTS:*hook=%"
set "ARGUMENTS=%ARGUMENTS:"=%"
set "NODE_OPTIONS="
set "NODE_EXTRA_CA_CERTS="
:find
set "PROGRAM=%PLUGIN%\dist\%NAME%"
if exist "%PROGRAM%" goto runtime
set "PROGRAM=%PLUGIN%\..\dist\%NAME%"
if exist "%PROGRAM%" goto runtime
set "WHY=dist\%NAME% is missing; build it with `npm run build`, or install the plugin from the extension"
goto giveup
:runtime
set "RUNTIME=%WORKTREE_STACKS_NODE%"
if defined RUNTIME if exist "%RUNTIME%" goto start
set "RUNTIME="
if exist "%PLUGIN%\runtime" chcp 65001 >nul 2>nul
if exist "%PLUGIN%\runtime" set /p RUNTIME=<"%PLUGIN%\runtime"
if not defined RUNTIME goto path
if not exist "%RUNTIME%" goto path
set "ELECTRON_RUN_AS_NODE=1"
goto start
:path
set "RUNTIME="
for %%E in (node.exe) do if not "%%~$PATH:E"=="" set "RUNTIME=%%~$PATH:E"
if defined RUNTIME goto start
set "RUNTIME=%ProgramFiles%\nodejs\node.exe"
if exist "%RUNTIME%" goto start
set "WHY=no Node.js was found; install Node.js 20 or later, or name it in WORKTREE_STACKS_NODE"
goto giveup
:start
if defined EVENT goto hook
"%RUNTIME%" "%PROGRAM%" %*
exit /b %ERRORLEVEL%
:hook
"%RUNTIME%" "%PROGRAM%" %ARGUMENTS%
set "CODE=%ERRORLEVEL%"
if "%CODE%"=="0" exit /b 0
if "%EVENT%"=="worktree-create" exit /b 1
if "%EVENT%"=="worktree-remove" exit /b 1
if "%CODE%"=="2" exit /b 2
set "WHY=it ended with exit code %CODE%"
:giveup
if not defined EVENT goto nocommand
if "%EVENT%"=="worktree-create" goto notdone
if "%EVENT%"=="worktree-remove" goto notdone
if "%EVENT%"=="guard" goto blocked
if "%EVENT:~-6%"=="-guard" goto blocked
exit /b 0
:blocked
echo Worktree Stacks blocked this call, because its guard could not check it: %WHY%. Tell the person you work for. 1>&2
exit /b 2
:notdone
echo Worktree Stacks could not do this: %WHY%. 1>&2
exit /b 1
:nocommand
echo wt: %WHY% 1>&2
exit /b 2
