import './vscodeStub.ts';
import { fake } from './fake.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { keptNames } from './fakeConnection.ts';
import { listConnection } from './fakeLists.ts';
import { fakeRepositories, fakeStore, repositoryConnection } from './fakeRepositories.ts';

const { repositoryReading } = await import('../../src/features/repositories/start/repositoryReading.ts');

const never = new AbortController().signal;

/* Reads the data of views with an account without caches. */

/** The caller disposes of it. */
export function ticketStore({ trackers, me }: Forge): TicketStore {
	return new TicketStore({ api: trackers, me, followed: keptNames(), clock: systemClock });
}

export async function ticketPage(forge: Forge, ref: TicketRef): Promise<void> {
	const store = ticketStore(forge);
	await Promise.all([
		store.renewTicket(ref, never),
		store.events(ref, never),
		store.trackers.labels(ref.tracker, never),
	]);
	store.dispose();
}

export async function patchsetPage({ lists }: Forge, ref: PatchsetRef): Promise<void> {
	const connection = listConnection(lists);
	await Promise.all([connection.lists.renewPatchset(ref, never), connection.reviews.read(ref, never)]);
}

/** With its README. Throws the first error. */
export async function repositoryPage({ repositories }: Forge, ref: RepositoryRef): Promise<void> {
	await during(repositories, async (store) => {
		const { promise, resolve, reject } = Promise.withResolvers<undefined>();
		const reading = repositoryReading(ref, () => repositoryConnection(store), {
			problems: fake({ log: reject }),
			changed() {
				const { about, names, commits, readme } = reading;
				if ([about, names, commits, readme].every((part) => part.now().kind === 'known')) {
					resolve(undefined);
				}
			},
			signal: never,
		});
		reading.all();
		await promise;
	});
}

/** The rows below a repository: its references, and the first one. */
export async function repositoryRows({ repositories }: Forge, ref: RepositoryRef): Promise<void> {
	await during(repositories, async (store) => {
		await store.references(ref).cached(never);
		await store.names.cachedDefaultBranch(ref, never);
	});
}

/** Number of rows below a branch. */
export async function rootFolder({ repositories }: Forge, ref: RepositoryRef, branch: string): Promise<number> {
	let entries = 0;
	await during(repositories, async (store) => {
		({ length: entries } = (await store.folders.folder(ref, { ref: branch, path: '' }, never)).entries);
	});
	return entries;
}

async function during(api: Forge['repositories'], work: (store: RepositoryStore) => Promise<void>): Promise<void> {
	const store = fakeStore({ ...fakeRepositories(), api });
	try {
		await work(store);
	} finally {
		store.dispose();
	}
}
