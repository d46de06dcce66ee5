import type { Services } from '../services/services.ts';

/** Rereads everything, including folders that are not watched. */
export async function refresh({ repositories, view, tasks, pullRequests }: Services): Promise<void> {
  const work = repositories.refresh().then(() => tasks.boards.read());
  pullRequests.renew();
  view.showBusy(work);
  await work;
}
