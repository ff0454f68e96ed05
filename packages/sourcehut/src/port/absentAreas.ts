import type { Forge, ListApi, RepositoryApi, TrackerApi, WebhookApi } from './forge.ts';
import { ForgeError } from './forgeError.ts';
import type { Pages } from './page.ts';

/*
 * Stand-ins for areas and writes that a forge lacks. Lists are empty, everything else throws `notOffered`. They send no
 * request. Views ask `areasOf(instance)` and show nothing of an absent area.
 */

const lacking = (): Promise<never> => Promise.reject(new ForgeError({ kind: 'notOffered' }));

async function* none(): Pages<never> {
	yield await Promise.resolve({ items: [], seen: 0, completeness: { kind: 'complete' } });
}

/** For trackers that only the website changes. */
export const noTrackerWrites: Pick<TrackerApi, 'create' | 'update' | 'remove' | 'submit' | 'updateTicket'> = {
	create: lacking,
	update: lacking,
	remove: lacking,
	submit: lacking,
	updateTicket: lacking,
};

const noListWrites: Pick<ListApi, 'create' | 'update' | 'setPatchsetStatus' | 'subscribe' | 'unsubscribe'> = {
	create: lacking,
	update: lacking,
	setPatchsetStatus: lacking,
	subscribe: lacking,
	unsubscribe: lacking,
};

const noRepositoryWrites: Pick<RepositoryApi, 'create' | 'update' | 'remove'> = {
	create: lacking,
	update: lacking,
	remove: lacking,
};

const trackers: TrackerApi = {
	...noTrackerWrites,
	trackers: none,
	tracker: lacking,
	labels: none,
	tickets: none,
	ticketsOn: { kind: 'fromNumber', read: none },
	ticket: lacking,
	statusLimits: () => ({ onlyResolvesAndReopens: false }),
	events: none,
};

const lists: ListApi = {
	...noListWrites,
	lists: none,
	list: lacking,
	posts: none,
	email: lacking,
	thread: lacking,
	patchsets: none,
	patchset: lacking,
	patches: none,
	subscriptions: none,
};

const repositories: RepositoryApi = {
	...noRepositoryWrites,
	repositories: none,
	repository: lacking,
	references: none,
	log: none,
	tree: lacking,
	treeById: lacking,
	blob: lacking,
	blobById: lacking,
};

const webhooks: WebhookApi = {
	webhooks: none,
	webhook: lacking,
	create: lacking,
	remove: lacking,
	deliveries: none,
	offers: () => ({ events: { all: [], doubtful: [] }, isSyncPossible: false, areOfPerson: false }),
	readDelivery: () => ({ again: [], push: undefined }),
};

export const absentAreas: Pick<Forge, 'trackers' | 'lists' | 'repositories' | 'webhooks'> = {
	trackers,
	lists,
	repositories,
	webhooks,
};
