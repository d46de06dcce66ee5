import { Problem } from '../core/base/problem.ts';
import { cliMessages } from './cliMessages.ts';

/*
 * A program cannot change the folder of its shell, so each script has a function around it: at a terminal `wt switch` and `wt cd` go where they
 * have printed. Everything else, and what is redirected, is the program's alone.
 *
 * The scripts are thin: they hand over what was typed and show what `wt complete` answers, a candidate a line with a tab before its
 * description, or one line `:file`, `:folder` or `:program` for the shell's own completion. None needs anything but its shell.
 */

/** Of bash and zsh alike. `function` without brackets does not mind an alias of that name. */
const goThere = `function wt {
  case "\${1-}" in
    switch | cd) ;;
    *)
      command wt "$@"
      return
      ;;
  esac
  if ! [ -t 1 ]; then
    command wt "$@"
    return
  fi
  local answer code
  answer=$(command wt "$@")
  code=$?
  if [ "$code" -eq 0 ] && [ -d "$answer" ]; then
    builtin cd -- "$answer"
  else
    [ -z "$answer" ] || printf '%s\\n' "$answer"
    return "$code"
  fi
}
`;

/** Bash 3.2 and later, also without the package bash-completion. Quoting and word breaks are left to `wt complete`, which sees the line. */
const bash = `# bash completion for wt
_wt_complete() {
  local IFS=$'\\n' answer
  answer=$(wt complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null) || return 0
  case $answer in
    :file | :folder)
      compopt -o filenames 2>/dev/null
      if [ "$answer" = :file ]; then COMPREPLY=($(compgen -f -- "$2")); else COMPREPLY=($(compgen -d -- "$2")); fi
      ;;
    :program) COMPREPLY=($(compgen -c -- "$2")) ;;
    *) COMPREPLY=($answer) ;;
  esac
}
complete -F _wt_complete wt
${goThere}`;

const zsh = `#compdef wt
# zsh completion for wt
_wt() {
  local answer
  answer="$(wt complete zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)" || return 1
  case $answer in
    '') return 1 ;;
    :file) _files ;;
    :folder) _files -/ ;;
    :program) _command_names -e ;;
    *)
      local -a candidates
      candidates=("\${(@f)answer}")
      if [[ $PREFIX = -* ]]; then _describe -o wt candidates; else _describe wt candidates; fi
      ;;
  esac
}
# Loaded by compinit from a folder of $fpath the function is run; sourced it is registered.
if [ "\${funcstack[1]}" = _wt ]; then _wt; else compdef _wt wt; fi
${goThere}`;

const fish = `# fish completion for wt
function __wt_complete
    set -l words (commandline -opc)
    set -l answer (wt complete fish -- $words[2..-1] (commandline -ct) 2>/dev/null)
    switch "$answer"
        case ':file'
            __fish_complete_path (commandline -ct)
        case ':folder'
            __fish_complete_directories (commandline -ct)
        case ':program'
            __fish_complete_command
        case '*'
            printf '%s\\n' $answer
    end
end
complete -c wt -f -a '(__wt_complete)'
function wt
    if not contains -- "$argv[1]" switch cd; or not test -t 1
        command wt $argv
        return
    end
    set -l answer (command wt $argv)
    set -l code $status
    if test $code -eq 0 -a (count $answer) -eq 1 -a -d "$answer"
        builtin cd $answer
    else
        test (count $answer) -eq 0; or printf '%s\\n' $answer
        return $code
    end
end
`;

/**
 * PowerShell 5.1 and later. That one drops empty words, so the word that is typed has a sign before it. The function comes before every program
 * of its name, also before Windows Terminal, which is called wt.exe.
 */
const powershell = `# PowerShell completion for wt
function global:__wt_program {
    Get-Command wt.cmd, wt -CommandType Application -ErrorAction Ignore |
        Where-Object { $_.Name -ne 'wt.exe' } | Select-Object -First 1
}
Register-ArgumentCompleter -Native -CommandName wt, wt.cmd -ScriptBlock {
    param($word, $line, $cursor)
    $program = __wt_program
    if (-not $program) { return }
    $before = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } |
        ForEach-Object { if ($null -ne $_.Value) { "$($_.Value)" } else { $_.Extent.Text } })
    $answer = @(& $program complete powershell -- @before "=$word" 2>$null)
    if ($answer.Count -eq 1 -and $answer[0] -in ':file', ':folder', ':program') { return }
    foreach ($candidate in $answer) {
        $value, $description = $candidate -split "\`t", 2
        if (-not $value -or -not $value.StartsWith("$word", [StringComparison]::OrdinalIgnoreCase)) { continue }
        $text = if ($value -match '^[\\w./:=@+-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}
function global:wt {
    $program = __wt_program
    if (-not $program) { throw 'wt: the program is not on the PATH' }
    if ($args.Count -gt 0 -and $args[0] -in 'switch', 'cd' -and $MyInvocation.PipelineLength -eq 1) {
        $answer = & $program @args
        if ($LASTEXITCODE -eq 0 -and $answer -is [string] -and (Test-Path -LiteralPath $answer -PathType Container)) {
            Set-Location -LiteralPath $answer
        } else { $answer }
    } elseif ($MyInvocation.ExpectingInput) { $input | & $program @args } else { & $program @args }
}
`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish, powershell, pwsh: powershell };

/** The names of the shells that there is a script for. */
export const shells: readonly string[] = Object.keys(scripts);

/**
 * The script that teaches a shell to complete `wt`.
 *
 * @throws Problem `usage` for another shell.
 */
export function completionScript(shell: string): string {
  const script = scripts[shell];
  if (script === undefined) {
    throw new Problem('usage', cliMessages.noCompletions({ shell: JSON.stringify(shell) }), {
      next: cliMessages.useOne({ shells: shells.join(', ') }),
    });
  }
  return script;
}
