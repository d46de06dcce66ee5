import { l10n } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Restacked } from '../../core/restack/restack.ts';
import { askBase } from '../quickPicks/pickBase.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { restackAsWished } from '../restack/carryOut.ts';
import { resolveSubject, restackFlags, subjectOfRow, type Subject } from '../restack/subject.ts';
import type { Services } from '../services/services.ts';
import { isNode, type Node } from '../views/nodes.ts';
import { isDrop, type Drop } from '../views/dragAndDrop.ts';
import { canMove } from './rebase.ts';
import { wordOf } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';

/**
 * Gives a branch, with its dependents, another base, after showing what that moves. What it is to be based on
 * comes from the row that it was dropped on, from the argument, or from the person.
 */
export async function moveOntoCommand(services: Services, argument?: unknown): Promise<Restacked | undefined> {
  const move = isDrop(argument) ? moveOfDrop(argument) : await askedMove(services, argument);
  if (!move) return undefined;
  const { model, worktree, onto } = move;
  const flags = restackFlags(argument);
  return restackAsWished(services, model, { worktree, onto, wholeStack: true, move: true }, flags);
}

async function askedMove(
  services: Services,
  argument: unknown,
): Promise<(Subject & { readonly onto: string }) | undefined> {
  const title = l10n.t('Move Onto');
  const placeholder = l10n.t('Select the worktree to move');
  const subject = await resolveSubject(services, argument, { title, placeholder, accept: canMove });
  if (!subject) return undefined;
  const given = wordOf(argument, 'onto');
  if (given !== undefined) return { ...subject, onto: given };
  const { model, worktree } = subject;
  const above = standingOn(model, worktree.branch);
  const answer = await askBase(
    model,
    title,
    worktree.name,
    undefined,
    { step: 0, totalSteps: 0 },
    {
      placeholder: l10n.t('Select the new base of {0}', worktree.name),
      offers: (branch) => !above.has(branch),
    },
  );
  return typeof answer === 'string' ? undefined : { ...subject, onto: answer.value };
}

/** A branch and its dependents: none of them can be its base. */
function standingOn({ state }: RepositoryModel, branch: string | undefined): ReadonlySet<string> {
  const found = new Set<string>(branch === undefined ? [] : [branch]);
  // Iterating over a set includes what is added meanwhile.
  for (const below of found)
    for (const each of state?.stacks?.branches.values() ?? []) if (each.base === below) found.add(each.branch);
  return found;
}

/**
 * What a drop means.
 *
 * @throws Problem `usage` for rows that cannot be moved or be a base; that a branch would be based on itself is told by the plan.
 */
function moveOfDrop({ dragged, onto }: Drop): Subject & { readonly onto: string } {
  const rows = tops(dragged);
  const [row] = rows;
  if (!row || rows.length > 1) {
    throw new Problem('usage', verbatim(l10n.t('Move one branch at a time; {0} were dropped.', rows.length)), {
      next: verbatim(l10n.t('drag one row; its dependents move with it')),
    });
  }
  const subject = isNode(row, 'branch') ? subjectOfRow(row) : { model: row.model, worktree: row.worktree };
  const target = baseOf(onto);
  if (target.model !== subject.model) {
    throw new Problem('usage', verbatim(l10n.t('{0} is in another repository.', target.name)), {
      next: verbatim(l10n.t('drop it on a row of {0}', subject.model.repository.name)),
    });
  }
  if (target.branch === undefined) {
    throw new Problem('usage', verbatim(l10n.t('{0} has no branch that could be a base.', target.name)), {
      next: verbatim(l10n.t('drop it on the row of a branch')),
    });
  }
  return { ...subject, onto: target.branch };
}

/** Rows that are not below another one that is dragged as well: those come along anyway. */
function tops(dragged: Drop['dragged']): Drop['dragged'] {
  const all = new Set<Node | undefined>(dragged);
  return dragged.filter((row) => {
    for (let at = row.parent; at; at = at.kind === 'repository' ? undefined : at.parent) if (all.has(at)) return false;
    return true;
  });
}

/** The branch of the row that something was dropped on; the rows of files stand for their worktree. */
function baseOf(node: Node): {
  readonly model: RepositoryModel;
  readonly name: string;
  readonly branch: string | undefined;
} {
  switch (node.kind) {
    case 'repository':
      return { model: node.model, name: node.model.repository.name, branch: node.model.state?.snapshot.trunk };
    case 'worktree':
      return { model: node.model, name: node.worktree.name, branch: node.worktree.branch };
    case 'branch':
      return { model: node.model, name: node.row.branch ?? l10n.t('The cycle'), branch: node.row.branch };
    case 'changes':
    case 'conflict':
    case 'change':
      return baseOf(node.parent);
  }
}
