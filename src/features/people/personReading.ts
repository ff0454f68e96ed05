import { isAbort } from '../../base/abort.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { PersonSection } from '../../pages/protocol/personView.ts';
import type { Connection } from '../../store/connection.ts';
import { isOneself } from './personViews.ts';
import { openOnes } from './sentView.ts';

/** Maximum number of conversations loaded for their replies. */
const mostConversations = 20;

/** Loads for one person's page. Errors appear in their sections; only `more` throws. */
export type PersonReading = ReturnType<typeof personReading>;

/**
 * Loads one page. For the account's own person it also counts replies to patchsets. `changed`: called when a load
 * starts or ends. `signal`: ends with the page.
 */
export function personReading(name: OwnerName, problems: Problems, changed: () => void, signal: AbortSignal) {
	const reading = new Map<PersonSection, number>();
	/** The running walk through the threads. */
	let walk: AbortController | undefined;

	async function during<T>(section: PersonSection, work: () => Promise<T>): Promise<T> {
		reading.set(section, (reading.get(section) ?? 0) + 1);
		changed();
		try {
			return await work();
		} finally {
			reading.set(section, (reading.get(section) ?? 1) - 1);
			changed();
		}
	}

	function quietly(work: Promise<unknown>): void {
		work.then(changed, problems.log);
	}

	async function sent(connection: Connection, deeper: boolean): Promise<void> {
		await during('patchsets', () => connection.people.readSent(name, { deeper }, signal));
		if (isOneself(connection, name, connection.people.known(name))) {
			await replies(connection);
		}
	}

	/** Sequential: these are many requests and none is urgent. */
	async function replies({ people, reviews }: Connection): Promise<void> {
		walk?.abort();
		walk = new AbortController();
		const going = AbortSignal.any([signal, walk.signal]);
		for (const { ref } of openOnes(people.sent(name)).slice(0, mostConversations)) {
			going.throwIfAborted();
			try {
				await (reviews.known(ref) ?? reviews.read(ref, going));
			} catch (error) {
				if (isAbort(error)) {
					throw error;
				}
				problems.log(error);
			}
			changed();
		}
	}

	return {
		/** Loads all unknown and failed parts. */
		all(connection: Connection) {
			quietly(connection.people.read(name, signal));
			quietly(sent(connection, false));
			// Needed for the "subscribed" marks; the Lists view shows a failure.
			quietly(connection.lists.subscriptions.first(signal));
		},
		/** Reads on in a section. Throws what went wrong. */
		async more(connection: Connection, section: PersonSection) {
			if (section === 'patchsets') {
				return sent(connection, true);
			}
			await during(section, () => connection.people.more(name, section, signal));
		},
		isReading: (section: PersonSection) => (reading.get(section) ?? 0) > 0,
	};
}
