#!/bin/bash
# The guard as it was first drawn up, written out in full: the baseline of the bench. Not part of the product.
# Allows edits only within the worktree path
WORKTREE_PATH="$1"
INPUT=$(cat)
FILE_PATH=$(echo "$INPUT" | jq -r '.tool_input.file_path // empty')

if [[ -n "$FILE_PATH" && "$FILE_PATH" == "$WORKTREE_PATH"* ]]; then
  jq -n '{hookSpecificOutput:{hookEventName:"PreToolUse",
    permissionDecision:"allow",
    permissionDecisionReason:"File is within worktree scope"}}'
else
  jq -n --arg wt "$WORKTREE_PATH" '{hookSpecificOutput:{hookEventName:"PreToolUse",
    permissionDecision:"deny",
    permissionDecisionReason:("File outside worktree: " + $wt)}}'
fi
