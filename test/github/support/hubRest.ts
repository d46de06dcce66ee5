import { exampleOf } from './contract.ts';
import type { HubAnswer } from './hub.ts';
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
  const name = { name: state.repo, full_name: `${state.owner}/${state.repo}`, default_branch: 'main' };
  // GitHub's example lacks what its own description requires.
  const whole = { ...body, ...name, language: null, fork: state.parent !== undefined };
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
  return {
    status: 200,
    body: listed.slice(0, Number(wanted.get('per_page') ?? 30)).map((pull) => state.rest(pull, false)),
  };
}

function create(state: HubState, given: Record<string, unknown>): HubAnswer {
  const [head = '', headOwner = state.owner] = String(given['head']).split(':').reverse();
  const base = String(given['base']);
  const tip = state.tipOf(head, headOwner);
  if (tip === undefined) return refused('', [{ resource: 'PullRequest', field: 'head', code: 'invalid' }]);
  if (state.refs.get(base) === undefined)
    return refused('', [{ resource: 'PullRequest', field: 'base', code: 'invalid' }]);
  if (tip === state.refs.get(base)) return refused(`No commits between ${base} and ${head}`);
  const same = (pull: HubPull): boolean => pull.head === head && pull.headOwner === headOwner && pull.base === base;
  if ([...state.pulls.values()].some((pull) => pull.state === 'open' && same(pull)))
    return refused(`A pull request already exists for ${headOwner}:${head}.`);
  if (given['draft'] === true && !state.drafts)
    return refused('Draft pull requests are not supported in this repository.');
  const more = {
    title: String(given['title']),
    body: typeof given['body'] === 'string' ? given['body'] : '',
    draft: given['draft'] === true,
    headOwner,
  };
  return { status: 201, body: state.rest(state.add(head, base, more), true) };
}

function update(state: HubState, pull: HubPull | undefined, given: Record<string, unknown>): HubAnswer {
  if (!pull) return missing;
  const { title, body, base, state: wanted } = given;
  if (typeof base === 'string') {
    if (pull.state !== 'open') return refused('Cannot change the base branch of a closed pull request.');
    if (pull.stack !== undefined) return refused('Cannot change the base branch of a pull request in a stack.');
    if (state.refs.get(base) === undefined)
      return refused('', [{ resource: 'PullRequest', field: 'base', code: 'invalid' }]);
    pull.base = base;
  }
  if (wanted === 'open' && pull.state === 'closed') {
    if (state.refs.get(pull.base) === undefined || state.tipOf(pull.head, pull.headOwner) === undefined)
      return refused('', [
        {
          resource: 'PullRequest',
          field: 'state',
          code: 'custom',
          message: 'state cannot be changed. The base branch was deleted.',
        },
      ]);
    pull.state = 'open';
  }
  if (wanted === 'closed') pull.state = 'closed';
  if (typeof title === 'string') pull.title = title;
  if (typeof body === 'string') pull.body = body;
  return { status: 200, body: state.rest(pull, true) };
}

function checks(state: HubState, ref: string, status: boolean): HubAnswer {
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
