import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { PushSaid } from 'sourcehut/port/deliveryHint.ts';
import { isSameRepository, type Reference, type RepositoryRef } from 'sourcehut/port/repository.ts';
import { fastestMs, roundMs } from '../background/schedule.ts';
import type { Watching } from '../inbox/inboxBook.ts';
import { pushNotices, repositoryPosition, withoutTargets } from '../inbox/pushNotices.ts';
import { chosenPlaces, watchingOf } from './chosenPlaces.ts';
import { polling, pollWanted, type Polled, type Polling } from './polling.ts';
import type { WatchContext } from './watchContext.ts';

interface WatchedRepository {
	readonly watched: { readonly kind: 'repository'; readonly ref: RepositoryRef };
	readonly polling: Polling;
	/** Pushes from deliveries, until the next read. */
	said: readonly PushSaid[];
}

/** Limit of pushes for a repository without a read. */
const mostSaid = 50;
/** Servers sort references by name, so pushes beyond these pages arrive late. */
const mostPages = 10;

export type RepositoryWatch = ReturnType<typeof repositoryWatch>;

/**
 * Adds pushes to followed and chosen repositories to the inbox. Compares the references with those of the last read,
 * even by an earlier window.
 */
export function repositoryWatch(context: WatchContext, isReadSinceOpened: boolean) {
	const { repositories, inbox, background, me, clock } = context;
	const owned = new Disposables();
	const watched = new Map<string, WatchedRepository>();
	/** Their reads share the request of another one. */
	const joined = new Set<WatchedRepository>();

	owned.add(repositories.onDidChange(({ kind }) => kind === 'repositories' && background.loop.plan()));
	owned.add(pollWanted(context, wanted));

	/** Followed and chosen repositories without the muted ones. Forgets the others. */
	function wanted(): readonly WatchedRepository[] {
		const all = [...chosenPlaces(inbox).repositories, ...repositories.followed.all()];
		const refs = new Map(
			all.map((ref) => [repositoryPosition(ref), ref] as const).filter(([key]) => watchingAt(key) === 'everything'),
		);
		for (const key of watched.keys()) {
			if (!refs.has(key)) {
				watched.delete(key);
				// Like lists: pushes during a mute are old news afterwards.
				const known = inbox.position(key);
				if (known && known.detail !== '') {
					inbox.add({ entries: [], positions: new Map([[key, withoutTargets(known)]]) });
				}
			}
		}
		return [...refs].map(([key, ref]) => {
			const each: WatchedRepository = watched.get(key) ?? {
				watched: { kind: 'repository', ref },
				polling: polling(context, 'git', (signal) => readTogether(each, signal)),
				said: [],
			};
			watched.set(key, each);
			return each;
		});
	}

	/** Reads a repository, and in the same request others that are due soon. */
	async function readTogether(first: WatchedRepository, signal: AbortSignal): Promise<Polled> {
		if (joined.has(first)) {
			return read(first, () => undefined, signal);
		}
		const nowMs = clock.nowMs();
		const others = wanted()
			.filter((each) => {
				const { hasFailed, readMs = 0 } = each.polling.reading();
				const earlyMs = hasFailed || readMs > nowMs - fastestMs ? 0 : roundMs;
				return each !== first && each.polling.task().dueMs <= nowMs + earlyMs;
			})
			.slice(0, repositories.uncached.together - 1);
		others.forEach((each) => joined.add(each));
		const reading = others.map(async (each) => {
			const task = each.polling.task();
			await task.read(signal).catch((error: unknown) => isAbort(error) || task.failed(error));
		});
		try {
			return await read(first, () => background.budget.spend(), signal);
		} finally {
			others.forEach((each) => joined.delete(each));
			await Promise.all(reading);
		}
	}

	/** `asked`: called before the first page. */
	async function read(repository: WatchedRepository, asked: () => void, signal: AbortSignal): Promise<Polled> {
		const { said: saidBefore } = repository;
		const { ref } = repository.watched;
		const references: Reference[] = [];
		let isWhole = false;
		let pages = 0;
		asked();
		for await (const { items, completeness } of repositories.uncached.references(ref, signal)) {
			pushAll(references, items);
			pages += 1;
			// One page is complete. Several pages may be incomplete without a word from the server
			// (docs/protocol.md#graphql-pages-of-names).
			isWhole = completeness.kind === 'complete' || (completeness.kind === 'unstated' && pages === 1);
			if (pages === mostPages || isWhole) {
				break;
			}
			if (completeness.kind === 'more') {
				background.budget.spend();
			}
		}
		const name = repositoryPosition(ref);
		if (watched.get(name) !== repository) {
			// The user muted it.
			return 'nothing';
		}
		const known = inbox.position(name);
		const { said } = repository;
		const nowMs = clock.nowMs();
		const reading = pushNotices({
			ref,
			references,
			isWhole,
			known,
			said,
			watching: watchingAt(name),
			me,
			nowMs,
		});
		// The next read uses pushes from during this read, too.
		repository.said = said.filter((push) => !saidBefore.includes(push));
		const isNew = reading.entries.length > 0;
		if (isNew) {
			// Rows with references read again. Open editors stay.
			repositories.apply({ kind: 'referencesMoved', ref });
		}
		// A push has no time of its own.
		inbox.add({ ...reading, isPerhapsOld: repository.polling.reading().readMs === undefined && !isReadSinceOpened });
		return isNew ? 'news' : 'nothing';
	}

	function watchingAt(name: string): Watching {
		return watchingOf(inbox, name, name, 'everything');
	}

	function watchedAt(ref: RepositoryRef): WatchedRepository | undefined {
		return wanted().find((each) => isSameRepository(each.watched.ref, ref));
	}

	return {
		isWatched: (ref: RepositoryRef) => watchedAt(ref) !== undefined,
		/** Schedules a read of the references, unless the last read began after `sinceMs`. */
		due: (ref: RepositoryRef, sinceMs: number) => watchedAt(ref)?.polling.due(sinceMs),
		/** Records a push from a delivery. Entries need the references to agree. */
		said(ref: RepositoryRef, push: PushSaid) {
			const each = watchedAt(ref);
			if (each) {
				each.said = [...each.said, push].slice(-mostSaid);
			}
		},
		dispose: () => owned.dispose(),
	};
}
