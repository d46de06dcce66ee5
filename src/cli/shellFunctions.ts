/*
 * A program cannot change the folder of its shell. So `wt shell-init` puts a function in front of the program, which has an empty file made, names
 * it in WT_CD_FILE, runs the program as it was called, and goes to the path that it finds in the file. Nothing that the program prints
 * is caught, and nothing of the path is evaluated: names may hold whatever a file system allows. Where no file can be made the program runs
 * as it would without the function.
 */

/**
 * Of bash (3.2 and later) and zsh alike. `function` without brackets does not mind an alias of that name, nor a backslash one of the commands;
 * `builtin` passes by a `cd` of the person's own.
 */
export const posixFunction = `function wt {
  local wt_cd_file wt_cd_to='' wt_code=0
  if ! wt_cd_file=$(\\command mktemp -- "\${TMPDIR:-/tmp}/wt-cd.XXXXXXXX" 2>/dev/null); then
    \\command wt "$@"
    return
  fi
  WT_CD_FILE=$wt_cd_file \\command wt "$@" || wt_code=$?
  if [ -s "$wt_cd_file" ]; then
    IFS='' \\builtin read -r -d '' wt_cd_to <"$wt_cd_file" || :
  fi
  \\command rm -f -- "$wt_cd_file" 2>/dev/null || :
  if [ -n "$wt_cd_to" ]; then
    \\builtin cd -- "$wt_cd_to" || [ "$wt_code" -ne 0 ] || wt_code=1
  fi
  return "$wt_code"
}
`;

/** `builtin cd` passes by a `cd` of the person's own, and by that of fish, which notes for `cd -` where one came from. */
export const fishFunction = `function wt --description 'wt, which leads this shell to the folder that it makes or chooses'
    set -l wt_cd_dir /tmp
    set -q TMPDIR; and test -n "$TMPDIR"; and set wt_cd_dir $TMPDIR
    set -l wt_cd_file (command mktemp -- "$wt_cd_dir/wt-cd.XXXXXXXX" 2>/dev/null)
    if test -z "$wt_cd_file"
        command wt $argv
        return
    end
    set -l wt_code 0
    begin
        set -lx WT_CD_FILE $wt_cd_file
        command wt $argv
        set wt_code $status
    end
    set -l wt_cd_to ''
    test -s "$wt_cd_file"; and read -z wt_cd_to <"$wt_cd_file"
    command rm -f -- "$wt_cd_file" 2>/dev/null
    if test -n "$wt_cd_to"
        set -l wt_cd_from $PWD
        if builtin cd -- "$wt_cd_to"
            if test "$wt_cd_from" != "$PWD"
                set -g dirprev $dirprev $wt_cd_from
                set -e dirnext
                set -g __fish_cd_direction prev
            end
        else if test $wt_code -eq 0
            set wt_code 1
        end
    end
    return $wt_code
end
`;

/** Of PowerShell 5.1 and later; `__wt_program` finds the program. Windows Terminal is called wt.exe, and a function comes before every program. */
export const powershellFunction = `function global:wt {
    $wtProgram = __wt_program
    if (-not $wtProgram) { throw 'wt: the program is not on the PATH' }
    $wtFile = $null
    $wtTo = ''
    $wtBefore = $env:WT_CD_FILE
    try { $wtFile = [System.IO.Path]::GetTempFileName() } catch { }
    try {
        $env:WT_CD_FILE = $wtFile
        if ($MyInvocation.ExpectingInput) { $input | & $wtProgram @args } else { & $wtProgram @args }
    } finally {
        $env:WT_CD_FILE = $wtBefore
        if ($wtFile) {
            try { $wtTo = [System.IO.File]::ReadAllText($wtFile) } catch { }
            Remove-Item -LiteralPath $wtFile -Force -ErrorAction SilentlyContinue
        }
    }
    if ($wtTo) { Set-Location -LiteralPath $wtTo }
}
`;
