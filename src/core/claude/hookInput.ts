/** What Claude Code tells a hook on standard input, as far as ours look at it. Everything may be missing: versions differ. */
export interface HookInput {
  readonly session_id?: string;
  readonly transcript_path?: string;
  readonly cwd?: string;
  readonly hook_event_name?: string;
  /** Why a session starts (`startup`, `resume`, …) or what happens otherwise. */
  readonly source?: string;
  readonly reason?: string;
  /** The agent: of the whole session with `--agent`, of a sub-agent, or a team-mate's name. */
  readonly agent_type?: string;
  /** Only inside a sub-agent or a team-mate. */
  readonly agent_id?: string;
  readonly teammate_name?: string;
  readonly tool_name?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string;
  readonly notification_type?: string;
  /** WorktreeCreate: what the worktree is to be called. */
  readonly name?: string;
  /** WorktreeRemove: the folder that is to go. */
  readonly worktree_path?: string;
}

/** The keys that must be text where they are there at all. */
const texts = [
  'session_id',
  'transcript_path',
  'cwd',
  'hook_event_name',
  'source',
  'reason',
  'agent_type',
  'agent_id',
  'teammate_name',
  'tool_name',
  'tool_use_id',
  'notification_type',
  'name',
  'worktree_path',
] as const;

/**
 * Reads what Claude Code wrote to a hook's standard input.
 *
 * @returns `undefined` for anything but a JSON object. A key with a value of the wrong kind is left out.
 */
export function parseHookInput(text: string): HookInput | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const given = value as Record<string, unknown>;
  const input: Record<string, unknown> = {};
  for (const key of texts) if (typeof given[key] === 'string') input[key] = given[key];
  const tool = given['tool_input'];
  if (typeof tool === 'object' && tool !== null && !Array.isArray(tool)) input['tool_input'] = tool;
  return input;
}
