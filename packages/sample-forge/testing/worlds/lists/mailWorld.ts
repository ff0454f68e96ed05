import type { Context, User } from '../../../src/shared/area.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { createStory, type Story } from '../../../src/worlds/story.ts';
import { worldStartMs } from '../worldTime.ts';
import type { MailingList } from '../../../src/lists/mailModel.ts';
import type { MailStore } from '../../../src/lists/mailStore.ts';
import { brokenSeries } from './brokenSeries.ts';
import { composedSeries } from './composedSeries.ts';
import { composeThreads, longThread } from './composedThreads.ts';
import { discussions } from './discussions.ts';
import { earlySeries } from './earlySeries.ts';
import { lateSeries } from './lateSeries.ts';
import { manualSeries } from './manualSeries.ts';
import { oddSeries } from './oddSeries.ts';
import { openSeries } from './openSeries.ts';
import { loadPatches } from './patchCache.ts';
import { createTestWriters } from './people.ts';
import { pullRequests } from './pullRequests.ts';
import { sandbox } from './sandboxSeries.ts';
import type { SeriesPlan } from './seriesPlan.ts';
import { lanternFiles, wickFiles } from './sourceFiles.ts';
import { tellSeries, tellThread, type MailTelling, type ThreadPlan } from '../../../src/worlds/lists/tellMail.ts';
import { wickSeries } from './wickSeries.ts';

/** Series of the sample world. A series follows the ones that it replies to. */
const sampleSeries: readonly SeriesPlan[] = [
	...earlySeries,
	...manualSeries,
	...brokenSeries,
	...oddSeries,
	sandbox,
	...lateSeries,
	...wickSeries,
	...composedSeries,
	...openSeries,
];

/** Fills the lists of Lantern and of its syntax library. Identical at every start. */
export async function tellMailWorld(
	store: MailStore,
	context: WorldContext,
	cacheDir: string,
	oddThreads: readonly ThreadPlan[],
): Promise<void> {
	const writer = createTestWriters(context.users);
	const stop = new AbortController();
	const made = await loadPatches(sampleSeries, {
		startMs: worldStartMs,
		writer,
		baseOf: ({ list }) => (list === 'wick-devel' ? wickFiles : lanternFiles),
		cacheDir,
		tempDir: context.tempDir,
		signal: stop.signal,
	});
	const story = createStory();
	const lists = addLists(store, context);
	const telling: MailTelling = {
		store,
		story,
		startMs: worldStartMs,
		lists,
		writer,
		domain: `lists.${context.mailDomain}`,
	};
	const random = createRandom(20_240_302);
	for (const thread of [
		...discussions,
		...oddThreads,
		longThread(random),
		...composeThreads(random, 19),
		...pullRequests(context.origins),
	]) {
		tellThread(telling, thread);
	}
	const firstIds = new Map<string, string>();
	for (const plan of sampleSeries) {
		const series = made[plan.key];
		if (series !== undefined) {
			firstIds.set(plan.key, tellSeries(telling, plan, series, firstIds));
		}
	}
	tellSubscriptions(telling, context);
	story.tell();
}

type WorldContext = Pick<Context, 'users' | 'tempDir' | 'mailDomain' | 'origins'>;

function addLists(store: MailStore, { users }: WorldContext): ReadonlyMap<string, MailingList> {
	const lists = new Map<string, MailingList>();
	const add = (owner: User | undefined, name: string, description: string | null): MailingList => {
		if (owner === undefined) {
			throw new Error(`Nobody owns the list ${name}`);
		}
		const list = store.addList(owner, name, description, worldStartMs);
		lists.set(name, list);
		return list;
	};
	const [alice, bob] = [users.byName('alice'), users.byName('bob')];
	const announce = add(alice, 'lantern-announce', 'Releases of Lantern. *Low traffic*, read only.');
	add(
		alice,
		'lantern-devel',
		'Development of **Lantern** — patches and plans.\n\nSend patches with `git send-email`, prefix `PATCH lantern`.',
	);
	add(alice, 'lantern-users', 'Questions and answers about Lantern, ünicode welcome');
	add(bob, 'wick-devel', null);
	const club = add(bob, 'private-club', 'Nobody else sees this.');
	announce.permissions.account = ['browse'];
	announce.permissions.subscriber = ['browse'];
	announce.permissions.nonsubscriber = ['browse'];
	Object.assign(club.permissions, { nonsubscriber: [], subscriber: [], account: [] });
	return lists;
}

function tellSubscriptions({ store, story, lists }: TellingLists, { users }: WorldContext): void {
	const pairs = [
		['bob', 'lantern-devel', 2],
		['alice', 'wick-devel', 4],
		['carol', 'lantern-devel', 5],
		['carol', 'lantern-users', 6],
		['dave', 'lantern-devel', 9],
		['bob', 'lantern-announce', 10],
		['grace', 'lantern-devel', 30],
	] as const;
	for (const [name, listName, day] of pairs) {
		const [user, list] = [users.byName(name), lists.get(listName)];
		if (user !== undefined && list !== undefined) {
			story.at(worldStartMs + day * 86_400_000, (atMs) => void store.subscribe(user, list, atMs));
		}
	}
}

interface TellingLists {
	readonly store: MailStore;
	readonly story: Story;
	readonly lists: ReadonlyMap<string, MailingList>;
}
