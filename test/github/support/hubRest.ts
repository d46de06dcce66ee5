import { exampleOf } from './contract.ts';
import type { HubAnswer } from './hub.ts';
import { close, keptClosed, openOf, tooLong } from './hubRules.ts';
import type { HubPull, HubState } from './hubState.ts';

const refused = (message: string, errors: unknown[] = []): HubAnswer => ({
  status: 422,
  body: {
    message: 'Validation Failed',
    errors: errors.length > 0 ? errors : [{ resource: 'PullRequest', code: 'custom', message }],
    documentation_url: 'https://docs.github.example.com',
    status: '422',
  },
});
const forbidden: HubAnswer = {
  status: 403,
  body: {
    message: 'Resource not accessible by personal access token',
    documentation_url: 'https://docs.github.example.com',
    status: '403',
  },
};
const missing: HubAnswer = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.example.com', status: '404' },
};

/** Answers one REST request as GitHub does, the rules that emulators leave out included. */
export function restAnswer(
  state: HubState,
  method: string,
  url: URL,
  values: Record<string, string>,
  body: unknown,
): HubAnswer {
  if (!state.is(values['owner'], values['repo'])) return missing;
  const rest = url.pathname.split('/').slice(4).join('/');
  const given = (body ?? {}) as Record<string, unknown>;
  switch (`${method} ${rest.split('/')[0] ?? ''}`) {
    case 'GET ':
      return repository(state);
    case 'GET pulls':
      return getPulls(state, url, values);
    case 'POST pulls':
      return create(state, given);
    case 'PATCH pulls':
      return update(state, state.pulls.get(Number(values['pull_number'])), given);
    case 'GET issues':
      return issue(state, Number(values['issue_number']));
    case 'GET commits':
      return checks(state, values['ref'] ?? '', rest.endsWith('/status'));
    case 'GET git':
    case 'POST git':
    case 'DELETE git':
      return refs(state, method, values['ref'], given);
    default:
      return stacks(state, method, rest, url, given);
  }
}

function repository(state: HubState): HubAnswer {
  const example = exampleOf('GET /repos/{owner}/{repo}');
  const { parent, ...body } = example;
  delete body['source'];
  const name = { name: state.repo, full_name: `${state.owner}/${state.repo}`, default_branch: state.defaultBranch };
  // GitHub's example lacks what its own description requires.
  const settings = { delete_branch_on_merge: state.deletesMerged };
  const whole = { ...body, ...name, ...settings, language: null, fork: state.parent !== undefined };
  if (state.parent === undefined) return { status: 200, body: whole };
  return {
    status: 200,
    body: { ...whole, parent: { ...(parent as object), language: null, full_name: state.parent } },
  };
}

function getPulls(state: HubState, url: URL, values: Record<string, string>): HubAnswer {
  if (values['pull_number']) {
    const pull = state.pulls.get(Number(values['pull_number']));
    if (!pull) return missing;
    if (!url.pathname.endsWith('/reviews')) return { status: 200, body: state.rest(pull, true) };
    const [example] = exampleOf('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews') as unknown as object[];
    return { status: 200, body: pull.reviews.map(({ state: verdict }, id) => ({ ...example, id, state: verdict })) };
  }
  const wanted = url.searchParams;
  const head = wanted.get('head')?.split(':');
  const listed = [...state.pulls.values()].reverse().filter(
    (pull) =>
      (wanted.get('state') === 'all' || pull.state === (wanted.get('state') ?? 'open')) &&
      // A head without an owner is no filter at all.
      (head === undefined || head.length < 2 || (pull.headOwner === head[0] && pull.head === head[1])) &&
      (!wanted.has('base') || pull.base === wanted.get('base')),
  );
  const [size, page] = [Number(wanted.get('per_page') ?? 30), Number(wanted.get('page') ?? 1)];
  const body = listed.slice((page - 1) * size, page * size).map((pull) => state.rest(pull, false));
  if (listed.length <= page * size) return { status: 200, body };
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  return { status: 200, body, headers: { link: `<${next.pathname}${next.search}>; rel="next"` } };
}

function issue(state: HubState, number: number): HubAnswer {
  const title = state.issues.get(number) ?? state.pulls.get(number)?.title;
  if (title === undefined) return missing;
  const { pull_request: ofPull, ...body } = exampleOf('GET /repos/{owner}/{repo}/issues/{issue_number}');
  return {
    status: 200,
    body: { ...body, number, title, ...(state.pulls.has(number) ? { pull_request: ofPull } : {}) },
  };
}

function create(state: HubState, given: Record<string, unknown>): HubAnswer {
  const [head = '', headOwner = state.owner] = String(given['head']).split(':').reverse();
  const base = String(given['base']);
  const headRepo = typeof given['head_repo'] === 'string' ? given['head_repo'] : state.repoOf(headOwner);
  const tip = state.tipOf(head, headOwner, headRepo);
  if (tip === undefined) return refused('', [{ resource: 'PullRequest', field: 'head', code: 'invalid' }]);
  if (state.refs.get(base) === undefined)
    return refused('', [{ resource: 'PullRequest', field: 'base', code: 'invalid' }]);
  const long = tooLong(given['title'], given['body']);
  if (long) return refused('', [long]);
  if (tip === state.refs.get(base) || state.refs.contains(state.refs.get(base) ?? '', tip))
    return refused(`No commits between ${base} and ${head}`);
  if (openOf(state, { head, headOwner, headRepo }, base))
    return refused(`A pull request already exists for ${headOwner}:${head}.`);
  if (given['draft'] === true && !state.drafts)
    return refused('Draft pull requests are not supported in this repository.');
  const more = {
    title: String(given['title']),
    body: typeof given['body'] === 'string' ? given['body'] : '',
    draft: given['draft'] === true,
    headOwner,
    headRepo,
  };
  return { status: 201, body: state.rest(state.add(head, base, more), true) };
}

function update(state: HubState, pull: HubPull | undefined, given: Record<string, unknown>): HubAnswer {
  if (!pull) return missing;
  const { title, body, base, state: wanted } = given;
  const long = tooLong(title, body);
  if (long) return refused('', [long]);
  if (typeof base === 'string') {
    if (pull.state !== 'open') return refused('Cannot change the base branch of a closed pull request.');
    if (base !== pull.base && openOf(state, pull, base))
      return refused(`A pull request already exists for base branch '${base}' and head branch '${pull.head}'`);
    if (pull.stack !== undefined) return refused('Cannot change the base branch of a pull request in a stack.');
    if (state.refs.get(base) === undefined)
      return refused('', [{ resource: 'PullRequest', field: 'base', code: 'invalid' }]);
    pull.base = base;
  }
  if (wanted === 'open' && pull.state === 'closed') {
    const message = keptClosed(state, pull);
    if (message !== undefined)
      return refused('', [{ resource: 'PullRequest', field: 'state', code: 'custom', message }]);
    pull.state = 'open';
  }
  if (wanted === 'closed' && pull.state === 'open') close(pull);
  if (typeof title === 'string') pull.title = title;
  if (typeof body === 'string') pull.body = body;
  state.settle();
  return { status: 200, body: state.rest(pull, true) };
}

function checks(state: HubState, ref: string, status: boolean): HubAnswer {
  if (!state.readsChecks) return forbidden;
  if (status) {
    const body = exampleOf('GET /repos/{owner}/{repo}/commits/{ref}/status');
    return { status: 200, body: { ...body, statuses: [], total_count: 0, state: 'pending' } };
  }
  const body = exampleOf('GET /repos/{owner}/{repo}/commits/{ref}/check-runs') as { check_runs: object[] };
  const pull = [...state.pulls.values()].find(({ headOid, head }) => headOid === ref || head === ref);
  const runs = (pull?.checks ?? []).map((check) => ({ ...body.check_runs[0], ...check, head_sha: pull?.headOid }));
  return { status: 200, body: { total_count: runs.length, check_runs: runs } };
}

function refs(state: HubState, method: string, ref: string | undefined, given: Record<string, unknown>): HubAnswer {
  const branch = (ref ?? String(given['ref']).replace('refs/', '')).replace('heads/', '');
  const found = state.refs.get(branch);
  const shown = (oid: string): unknown => {
    const body = exampleOf('GET /repos/{owner}/{repo}/git/ref/{ref}') as { object: object };
    return { ...body, ref: `refs/heads/${branch}`, object: { ...body.object, sha: oid } };
  };
  if (method === 'GET') return found === undefined ? missing : { status: 200, body: shown(found) };
  if (method === 'POST') {
    if (found !== undefined) return refused('Reference already exists');
    state.refs.set(branch, String(given['sha']));
    return { status: 201, body: shown(String(given['sha'])) };
  }
  if (found === undefined) return refused('Reference does not exist');
  state.refs.delete(branch);
  return { status: 204 };
}

function stacks(state: HubState, method: string, rest: string, url: URL, given: Record<string, unknown>): HubAnswer {
  if (!state.nativeStacks) return missing;
  const [, number, verb] = rest.split('/');
  const numbers = (given['pull_requests'] ?? []) as number[];
  if (method === 'GET' && number === undefined) {
    const of = Number(url.searchParams.get('pull_request'));
    const all = [...state.stacks].filter(
      ([, members]) => !url.searchParams.has('pull_request') || members.includes(of),
    );
    return { status: 200, body: all.map(([each]) => state.restStack(each, false)) };
  }
  if (method === 'GET')
    return state.stacks.has(Number(number)) ? { status: 200, body: state.restStack(Number(number), true) } : missing;
  const id = verb === 'add' ? Number(number) : 40 + state.stacks.size;
  const before = verb === 'add' ? (state.stacks.get(id) ?? []) : [];
  const all = [...before, ...numbers].flatMap((each) => state.pulls.get(each) ?? []);
  if (all.some((pull, at) => at > 0 && pull.base !== all[at - 1]?.head))
    return refused('The pull requests do not stand on each other.');
  if (numbers.some((each) => state.pulls.get(each)?.stack !== undefined))
    return refused('A pull request is in a stack already.');
  state.stacks.set(
    id,
    all.map((pull) => pull.number),
  );
  for (const pull of all) pull.stack = id;
  return { status: verb === 'add' ? 200 : 201, body: state.restStack(id, true) };
}
