import { isAbort } from '../../base/abort.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { PersonSection } from '../../protocol/personView.ts';
import type { Connection } from '../../state/connection.ts';
import { isOneself } from './headView.ts';
import { openOnes } from './sentView.ts';

/** What reading for a page needs. */
export interface PersonReadingParts {
	readonly name: OwnerName;
	readonly problems: Problems;
	/** Something was read, or is being read. */
	readonly changed: () => void;
	/** Ends with the page. */
	readonly signal: AbortSignal;
}

/** What one person's page reads of the forge. Nothing here throws: failures are told in their own places. */
export interface PersonReading {
	/** Everything that is not known, and what failed before. */
	all(connection: Connection): void;
	/** Reads on in a section. Throws what went wrong. */
	more(connection: Connection, section: PersonSection): Promise<void>;
	isReading(section: PersonSection): boolean;
}

/** Conversations that are read for the replies in them: as many as somebody looks over at once. */
const mostConversations = 20;

/** Reads for one page. The account's own patchsets are also looked through for what was replied. */
export function personReading({ name, problems, changed, signal }: PersonReadingParts): PersonReading {
	const reading = new Map<PersonSection, number>();
	/** The walk through the conversations that is under way. */
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
		work.then(changed, (error: unknown) => {
			if (!isAbort(error)) {
				problems.log(error);
			}
		});
	}

	async function sent(connection: Connection, deeper: boolean): Promise<void> {
		await during('patchsets', () => connection.people.readSent(name, { deeper }, signal));
		if (isOneself(connection, name, connection.people.known(name))) {
			await replies(connection);
		}
	}

	/** One after the other: they are many requests, and none of them is waited for. */
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
		all(connection) {
			quietly(connection.people.read(name, signal));
			quietly(sent(connection, false));
			// Whether a list is subscribed is told from these; a failure has its place in the view of lists.
			quietly(connection.lists.subscriptions(signal));
		},
		async more(connection, section) {
			if (section === 'patchsets') {
				return sent(connection, true);
			}
			await during(section, () => connection.people.more(name, section, signal));
		},
		isReading: (section) => (reading.get(section) ?? 0) > 0,
	};
}
