import active from '../../schemas/active.schema.json' with { type: 'json' };
import addCommit from '../../schemas/add-commit.schema.json' with { type: 'json' };
import checkIgnore from '../../schemas/check-ignore.schema.json' with { type: 'json' };
import checks from '../../schemas/checks.schema.json' with { type: 'json' };
import cleanTree from '../../schemas/clean-tree.schema.json' with { type: 'json' };
import cleanup from '../../schemas/cleanup.schema.json' with { type: 'json' };
import completions from '../../schemas/completions.schema.json' with { type: 'json' };
import create from '../../schemas/create.schema.json' with { type: 'json' };
import common from '../../schemas/definitions.schema.json' with { type: 'json' };
import diff from '../../schemas/diff.schema.json' with { type: 'json' };
import doctor from '../../schemas/doctor.schema.json' with { type: 'json' };
import failure from '../../schemas/failure.schema.json' with { type: 'json' };
import here from '../../schemas/here.schema.json' with { type: 'json' };
import info from '../../schemas/info.schema.json' with { type: 'json' };
import list from '../../schemas/list.schema.json' with { type: 'json' };
import merge from '../../schemas/merge.schema.json' with { type: 'json' };
import path from '../../schemas/path.schema.json' with { type: 'json' };
import poll from '../../schemas/poll.schema.json' with { type: 'json' };
import pr from '../../schemas/pr.schema.json' with { type: 'json' };
import push from '../../schemas/push.schema.json' with { type: 'json' };
import resolve from '../../schemas/resolve.schema.json' with { type: 'json' };
import log from '../../schemas/log.schema.json' with { type: 'json' };
import move from '../../schemas/move.schema.json' with { type: 'json' };
import predict from '../../schemas/predict.schema.json' with { type: 'json' };
import rebase from '../../schemas/rebase.schema.json' with { type: 'json' };
import redo from '../../schemas/redo.schema.json' with { type: 'json' };
import rename from '../../schemas/rename.schema.json' with { type: 'json' };
import retro from '../../schemas/retro.schema.json' with { type: 'json' };
import schema from '../../schemas/schema.schema.json' with { type: 'json' };
import setup from '../../schemas/setup.schema.json' with { type: 'json' };
import stack from '../../schemas/stack.schema.json' with { type: 'json' };
import stateCleanup from '../../schemas/state-cleanup.schema.json' with { type: 'json' };
import stateContext from '../../schemas/state-context.schema.json' with { type: 'json' };
import stateProgress from '../../schemas/state-progress.schema.json' with { type: 'json' };
import switchSchema from '../../schemas/switch.schema.json' with { type: 'json' };
import tasks from '../../schemas/tasks.schema.json' with { type: 'json' };
import undo from '../../schemas/undo.schema.json' with { type: 'json' };
import worktrees from '../../schemas/worktrees.schema.json' with { type: 'json' };

const answers = {
  create,
  list,
  tasks,
  info,
  diff,
  merge,
  cleanup,
  setup,
  push,
  pr,
  poll,
  checks,
  resolve,
  stack,
  rebase,
  move,
  rename,
  predict,
  undo,
  redo,
  log,
  switch: switchSchema,
  active,
  'clean-tree': cleanTree,
  'add-commit': addCommit,
  path,
  'state-context': stateContext,
  'state-progress': stateProgress,
  'state-cleanup': stateCleanup,
  retro,
  'check-ignore': checkIgnore,
  doctor,
  schema,
  completions,
  here,
  failure,
};

/** The schemas of what each command prints with `--json`, and of `.worktrees.yml`, each complete in itself. */
export const schemas: Readonly<Record<string, object>> = {
  ...Object.fromEntries(Object.entries(answers).map(([name, each]) => [name, complete(each)])),
  worktrees,
};

/** Takes what the answers have in common into a schema, so that whoever reads it needs no second file. */
function complete(answer: object): object {
  const text = JSON.stringify(answer).replaceAll('definitions.schema.json#/', '#/');
  const own = JSON.parse(text) as { readonly definitions?: object };
  return { ...own, definitions: { ...own.definitions, ...common.definitions } };
}
