import { Problem } from '../core/base/problem.ts';
import { cliMessages } from './cliMessages.ts';
import { fishFunction, posixFunction, powershellFunction } from './shellFunctions.ts';

/*
 * Each script has the function of its shell around the program (shellFunctions.ts), and the completions.
 *
 * These are thin: they hand over what was typed and show what `wt complete` answers, a candidate a line with a tab before its
 * description, or one line `:file`, `:folder` or `:program` for the shell's own completion. They call the program past its function. None needs
 * anything but its shell.
 */

/** Bash 3.2 and later, also without the package bash-completion. Quoting and word breaks are left to `wt complete`, which sees the line. */
const bash = `# wt in bash: it leads the shell to its folders, and completes
_wt_complete() {
  local IFS=$'\\n' answer
  answer=$(command wt complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null) || return 0
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
${posixFunction}`;

const zsh = `#compdef wt
# wt in zsh: it leads the shell to its folders, and completes
_wt() {
  local answer
  answer="$(command wt complete zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)" || return 1
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
# Loaded by compinit from a folder of $fpath the function is run; sourced it is registered, once there is compinit.
if [ "\${funcstack[1]-}" = _wt ]; then
  _wt
elif (( \${+functions[compdef]} )); then
  compdef _wt wt
fi
${posixFunction}`;

const fish = `# wt in fish: it leads the shell to its folders, and completes
function __wt_complete
    set -l words (commandline -opc)
    set -l answer (command wt complete fish -- $words[2..-1] (commandline -ct) 2>/dev/null)
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
${fishFunction}`;

/**
 * PowerShell 5.1 and later. That one drops empty words, so the word that is typed has a sign before it. A word that begins with `@` or a
 * number means something else to it, and it takes the quotes of typography for quotes.
 */
const powershell = `# wt in PowerShell: it leads the shell to its folders, and completes
function global:__wt_program {
    Get-Command -Name @('wt.cmd', 'wt') -CommandType Application -ErrorAction Ignore |
        Where-Object { $_.Name -ne 'wt.exe' } | Select-Object -First 1
}
Register-ArgumentCompleter -Native -CommandName @('wt', 'wt.cmd') -ScriptBlock {
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
        $isPlain = $value -match '^[a-zA-Z_-][\\w./:=@+-]*$'
        $text = if ($isPlain) { $value } else { "'" + ($value -replace '[''\\u2018-\\u201B]', '$0$0') + "'" }
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}
${powershellFunction}`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish, powershell, pwsh: powershell };

/** The names of the shells that there is a script for. */
export const shells: readonly string[] = Object.keys(scripts);

/**
 * The script that has a shell follow `wt`, and complete it.
 *
 * @throws Problem `usage` for another shell.
 */
export function shellScript(shell: string): string {
  const script = scripts[shell];
  if (script === undefined) {
    throw new Problem('usage', cliMessages.noCompletions({ shell: JSON.stringify(shell) }), {
      next: cliMessages.useOne({ shells: shells.join(', ') }),
    });
  }
  return script;
}
