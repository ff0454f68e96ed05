import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { KeptListing } from '../shared/listing.ts';

/** Threads per list. Drops the oldest replies first. */
const mostThreads = 200;

/** The newest reply of each thread of a list, from this window and earlier ones. Some servers list first mails only. */
export class NewestReplies {
	readonly #disk: KeptListing<ShortEmail> | undefined;
	readonly #replies = new Map<number, ShortEmail>();
	#recalling: Promise<void> | undefined;
	#isRecalled = false;
	/** The disk lacks a reply of this window. */
	#isUnstored = false;

	constructor(disk: KeptListing<ShortEmail> | undefined) {
		this.#disk = disk;
	}

	of(threadId: number): ShortEmail | undefined {
		return this.#replies.get(threadId);
	}

	/** Notes mails of a thread. Stores them with those of earlier windows, so the load comes first. */
	note(threadId: number, mails: readonly ShortEmail[]): void {
		if (!this.#take(threadId, mails)) {
			return;
		}
		this.#isUnstored = true;
		if (this.#isRecalled) {
			this.#store();
		} else {
			void this.recall();
		}
	}

	/** Loads the replies that earlier windows stored, once. */
	recall(): Promise<void> {
		this.#recalling ??= (async () => {
			const kept = await this.#disk?.read();
			kept?.value.items.forEach((mail) => this.#take(mail.threadId ?? mail.id, [mail]));
			this.#isRecalled = true;
			this.#store();
		})();
		return this.#recalling;
	}

	/** True if one of the mails becomes the newest reply. */
	#take(threadId: number, mails: readonly ShortEmail[]): boolean {
		const before = this.of(threadId);
		const newest = mails
			.filter(({ id }) => id !== threadId)
			.reduce((last, mail) => (last && last.createdMs >= mail.createdMs ? last : mail), before);
		if (!newest || newest === before) {
			return false;
		}
		this.#replies.set(threadId, { ...newest, threadId });
		return true;
	}

	#store(): void {
		const items = [...this.#replies.values()].toSorted((a, b) => b.createdMs - a.createdMs);
		items.splice(mostThreads).forEach(({ threadId: old = 0 }) => this.#replies.delete(old));
		if (this.#isUnstored) {
			this.#isUnstored = false;
			this.#disk?.keep({ items, completeness: { kind: 'unstated' } });
		}
	}
}
