import type { Forge } from 'sourcehut/port/forge.ts';
import type { FakeClock } from '../../support/fakeClock.ts';
import { fakeTrackers } from '../../support/fakeForge.ts';
import { fakeLists } from '../../support/fakeLists.ts';
import { fakeRepositories } from '../../support/fakeRepositories.ts';
import type { WatchedForge } from '../../support/watchedForge.ts';

/** The ports of a client, with a count of pending calls. */
export interface BusyForge {
	readonly forge: Pick<WatchedForge, 'trackers' | 'lists' | 'repositories'>;
	/** Advances the clock by seconds. After each step it waits for all pending calls. */
	readonly pass: (clock: FakeClock, totalMs: number) => Promise<void>;
}

/** Lets a test advance a fake clock over a real forge. */
export function busyForge({ trackers, lists, repositories }: Forge): BusyForge {
	let open = 0;

	async function counted<T>(promise: Promise<T>): Promise<T> {
		open += 1;
		try {
			return await promise;
		} finally {
			open -= 1;
		}
	}

	/** Wraps an object and its members and pages to count calls. */
	function watched<Api extends object>(api: Api): Api {
		return new Proxy(api, {
			get(target, key) {
				const value: unknown = Reflect.get(target, key);
				if (typeof value === 'function') {
					return (...given: unknown[]) => {
						const answer: unknown = value.apply(target, given);
						const isPages = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
						return answer instanceof Promise ? counted(answer) : isPages ? watched(answer) : answer;
					};
				}
				return typeof value === 'object' && value !== null && !Array.isArray(value) ? watched(value) : value;
			},
		});
	}

	async function settled(): Promise<void> {
		let quiet = 0;
		while (quiet < 4) {
			await new Promise((resolve) => setImmediate(resolve));
			quiet = open === 0 ? quiet + 1 : 0;
		}
	}

	return {
		forge: {
			trackers: { ...fakeTrackers(), api: watched(trackers) },
			lists: { ...fakeLists(), api: watched(lists) },
			repositories: { ...fakeRepositories(), api: watched(repositories) },
		},
		async pass(clock, totalMs) {
			for (let passedMs = 0; passedMs < totalMs; passedMs += 1000) {
				clock.advance(1000);
				await settled();
			}
		},
	};
}
