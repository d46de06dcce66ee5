import type { Services } from '../services/services.ts';

/** Looks at everything again: for a folder that nobody watches, and for those who want to be sure. */
export async function refresh({ repositories, view, tasks, pullRequests }: Services): Promise<void> {
  const work = repositories.refresh().then(() => tasks.boards.read());
  pullRequests.renew();
  view.showBusy(work);
  await work;
}
