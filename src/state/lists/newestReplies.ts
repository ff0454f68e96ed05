import type { ShortEmail } from '../../forge/list.ts';
import type { KeptListing } from '../shared/listing.ts';

/** Threads per list; the oldest replies go first. */
const mostThreads = 200;

/** The newest reply of each thread of a list, from this window and earlier ones. Some servers list first mails only. */
export class NewestReplies {
	readonly #disk: KeptListing<ShortEmail> | undefined;
	readonly #replies = new Map<number, ShortEmail>();
	#recalling: Promise<void> | undefined;

	constructor(disk: KeptListing<ShortEmail> | undefined) {
		this.#disk = disk;
	}

	of(threadId: number): ShortEmail | undefined {
		return this.#replies.get(threadId);
	}

	/** Notes mails of a thread. */
	note(threadId: number, mails: readonly ShortEmail[]): void {
		const before = this.of(threadId);
		const newest = mails
			.filter(({ id }) => id !== threadId)
			.reduce((last, mail) => (last && last.createdMs >= mail.createdMs ? last : mail), before);
		if (newest && newest !== before) {
			this.#replies.set(threadId, { ...newest, threadId });
			const items = [...this.#replies.values()].toSorted((a, b) => b.createdMs - a.createdMs);
			items.splice(mostThreads).forEach(({ threadId: old = 0 }) => this.#replies.delete(old));
			this.#disk?.keep({ items, completeness: { kind: 'unstated' } });
		}
	}

	/** Loads the replies that earlier windows stored, once. */
	recall(): Promise<void> {
		this.#recalling ??= this.#recall();
		return this.#recalling;
	}

	async #recall(): Promise<void> {
		const kept = await this.#disk?.read();
		kept?.value.items.forEach((mail) => this.note(mail.threadId ?? mail.id, [mail]));
	}
}
