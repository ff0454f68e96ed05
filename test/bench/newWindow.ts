import assert from 'node:assert/strict';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { keptMails } from '../../src/store/lists/keptMails.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { keptRepositories } from '../../src/store/repositories/keptRepositories.ts';
import { indexKeeper } from '../../src/store/tickets/index/indexKeeper.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { indexFolders } from '../../src/machine/storage/indexFiles.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { fakeTrackers } from '../support/fakeForge.ts';
import { fakeLists } from '../support/fakeLists.ts';
import {
	fakeRepositories,
	fakeStore,
	makeCommit,
	makeRepository,
	objectsInMemory,
} from '../support/fakeRepositories.ts';
import { makeList, makeMail, makePatchset } from '../support/makeMail.ts';
import { makeTicket, makeTracker } from '../support/makeTicket.ts';
import { quietLog } from '../support/quietLog.ts';
import { textsInMemory } from '../support/textsInMemory.ts';
import { countFigure } from './figures.ts';
import type { Figure, Size } from './measurement.ts';
import { journalInMemory } from '../support/journalInMemory.ts';

const sizes = { full: { things: 40 }, smallest: { things: 3 } } as const;

const never = new AbortController().signal;
const me = '~alice';
const ref = { owner: me, name: 'first' };
/** Enough for rows that need no answer. */
const patienceMs = 250;

/** A forge that answers only on demand. */
interface SlowForge {
	readonly before: () => Promise<void>;
	/** Answers the oldest request; false if none waits. */
	readonly answerOne: () => boolean;
}

/** A view of a window over the caches of earlier ones. */
interface View {
	readonly name: string;
	/** Resolves to a function that counts the first rows. `isKept`: false for empty caches. */
	readonly open: (forge: SlowForge | undefined, isKept: boolean) => Promise<() => Promise<number>>;
}

/** Answers that the first rows of a new window need, with the caches of an earlier window and without. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { things } = sizes[size];
	using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-window-'));
	const figures: Figure[] = [];
	for (const view of [tickets(folder.path, things), lists(things), repositories(things), foldersAndCommits(things)]) {
		const rows = await (await view.open(undefined, true))();
		const kept = await answersFor(view, { isKept: true, rows });
		const bare = await answersFor(view, { isKept: false, rows });
		assert.ok(bare > 0, 'the rows come from the forge');
		const detail = `${rows} rows; where nothing was kept: ${bare}`;
		figures.push(countFigure(`${view.name} in a new window: answers that the first rows wait for`, 0, kept, detail));
	}
	return figures;
}

async function answersFor(
	view: View,
	{ isKept, rows }: { readonly isKept: boolean; readonly rows: number },
): Promise<number> {
	const forge = slowForge();
	const look = await view.open(forge, isKept);
	let answers = 0;
	let found: number | undefined;
	const looking = look().then((count) => (found = count));
	for (;;) {
		await Promise.race([looking, wait(patienceMs)]);
		if (found !== undefined) {
			assert.equal(found, rows);
			return answers;
		}
		answers += forge.answerOne() ? 1 : 0;
	}
}

function slowForge(): SlowForge {
	const waiting: (() => void)[] = [];
	return {
		before: () => new Promise((resolve) => void waiting.push(resolve)),
		answerOne() {
			const next = waiting.shift();
			next?.();
			return next !== undefined;
		},
	};
}

function namesOf(things: number): readonly string[] {
	return Array.from({ length: things }, (_, at) => (at === 0 ? ref.name : `thing-${at}`));
}

/** Own trackers, and the tickets of one. */
function tickets(folder: string, things: number): View {
	return {
		name: 'Tickets',
		async open(forge, isKept) {
			const fake = fakeTrackers(me);
			fake.world.trackers.push(...namesOf(things).map((name) => makeTracker({ name })));
			fake.world.tickets.set(
				`${me}/${ref.name}`,
				Array.from({ length: things }, (_, at) => makeTicket({ id: things - at })),
			);
			fake.world.before = forge?.before ?? fake.world.before;
			const keeper = indexKeeper(
				indexFolders(join(folder, isKept ? 'kept' : 'empty')).of('bench', 'https://todo.forge.test'),
				fakeClock(),
				quietLog(),
				() => performance.now(),
			);
			const store = new TicketStore({
				api: fake.api,
				me,
				followed: keptNames(),
				clock: fakeClock(),
				remembered: (tracker) => keeper.remembered(tracker),
			});
			keeper.attach(store);
			return async () => {
				const trackers = await store.ownTrackers(never);
				const listing = await store.tickets(ref, never);
				if (!forge) {
					await keeper.flush();
				}
				return trackers.items.length + listing.items.length;
			};
		},
	};
}

/** Own lists, and the patchsets and threads of one. */
function lists(things: number): View {
	const texts = textsInMemory();
	return {
		name: 'Lists',
		async open(forge, isKept) {
			const fake = fakeLists(me);
			const { world } = fake;
			const numbers = Array.from({ length: things }, (_, at) => things - at);
			world.lists.push(...namesOf(things).map((name) => makeList({ name })));
			world.patchsets.set(
				`${me}/${ref.name}`,
				numbers.map((id) => makePatchset({ id })),
			);
			world.posts.set(
				`${me}/${ref.name}`,
				numbers.map((id) => makeMail({ id })),
			);
			world.before = forge?.before ?? world.before;
			const disk = keptMails(isKept ? texts : textsInMemory(), fakeClock());
			const store = new ListStore({ journal: journalInMemory(), api: fake.api, me, followed: keptNames(), disk });
			return async () => {
				const all = [
					await store.own.cached(never),
					await store.subscriptions.cached(never),
					await store.patchsets(ref).cached(never),
					await store.postsAtOnce(ref, never),
				];
				return all.reduce((sum, { items }) => sum + items.length, 0);
			};
		},
	};
}

/** Own repositories, and the branches and tags of one. */
function repositories(things: number): View {
	const texts = textsInMemory();
	return {
		name: 'Repositories',
		async open(forge, isKept) {
			const fake = fakeRepositories(me);
			const { world } = fake;
			world.repositories.push(...namesOf(things).map((name) => makeRepository(name)));
			world.references.set(
				`${me}/${ref.name}`,
				Array.from({ length: things }, (_, at) => ({ name: `refs/heads/branch-${at}`, target: 'a'.repeat(40) })),
			);
			world.heads.set(`${me}/${ref.name}`, 'branch-0');
			world.before = forge?.before ?? world.before;
			const store = fakeStore(fake, { disk: keptRepositories(isKept ? texts : textsInMemory(), fakeClock()) });
			return async () => {
				const own = await store.own.cached(never);
				const references = await store.references(ref).cached(never);
				await store.names.cachedDefaultBranch(ref, never);
				return own.items.length + references.items.length;
			};
		},
	};
}

/** A branch of a repository: its folder, one below that, and its commits. */
function foldersAndCommits(things: number): View {
	const [texts, objects] = [textsInMemory(), objectsInMemory()];
	return {
		name: 'Folders and commits',
		async open(forge, isKept) {
			const fake = fakeRepositories(me);
			const { world } = fake;
			const files = Object.fromEntries(namesOf(things).map((name) => [name, name]));
			const tree = world.grow({ ...files, below: files });
			world.logs.set(
				`${me}/${ref.name} main`,
				Array.from({ length: things }, (_, at) => makeCommit(things - at, { tree })),
			);
			world.before = forge?.before ?? world.before;
			const store = fakeStore(fake, {
				disk: keptRepositories(isKept ? texts : textsInMemory(), fakeClock()),
				objects: isKept ? objects : objectsInMemory(),
			});
			return async () => {
				const root = await store.folders.cachedFolder(ref, { ref: 'main', path: '' }, never);
				const below = await store.folders.cachedFolder(ref, { ref: 'main', path: 'below' }, never);
				const log = await store.log(ref, 'main').cached(never);
				return root.entries.length + below.entries.length + log.items.length;
			};
		},
	};
}
