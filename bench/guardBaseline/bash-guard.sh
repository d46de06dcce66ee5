#!/bin/bash
# The guard as it was first drawn up, written out in full: the baseline of the bench. Not part of the product.
# Deny-list for dangerous Bash commands. Everything else falls through to inherited project permissions.
WORKTREE_PATH="$1"
BRANCH="$2"
INPUT=$(cat)
COMMAND=$(echo "$INPUT" | jq -r '.tool_input.command // empty')
BACKGROUND=$(echo "$INPUT" | jq -r '.tool_input.run_in_background // false')

deny() {
  jq -n --arg r "$1" '{hookSpecificOutput:{hookEventName:"PreToolUse",
    permissionDecision:"deny",
    permissionDecisionReason:$r}}'
  exit 0
}

# --- Deny: git remote operations (must use wt CLI) ---
echo "$COMMAND" | grep -qE '^git\s+push\b'           && deny "Use 'wt push $BRANCH' instead"
echo "$COMMAND" | grep -qE '^git\s+(fetch|pull)\b'    && deny "Use 'wt rebase $BRANCH' for updates"
echo "$COMMAND" | grep -qE 'push\s+.*(-f|--force)'    && deny "Force push is not allowed"

# --- Deny: gh write operations (must use wt CLI) ---
echo "$COMMAND" | grep -qE '^gh\s+pr\s+(create|ready|merge|close|edit|comment|review)\b' \
  && deny "GitHub write operations must go through wt CLI"
echo "$COMMAND" | grep -qE '^gh\s+api\s+.*-X\s*(POST|PUT|PATCH|DELETE)\b' \
  && deny "GitHub write API calls must go through wt CLI"

# --- Deny: wt poll must be background ---
if echo "$COMMAND" | grep -qE '^wt\s+poll\b'; then
  [ "$BACKGROUND" != "true" ] && deny "wt poll must run as a background task"
fi

# --- Everything else: fall through to project permissions ---
exit 0
