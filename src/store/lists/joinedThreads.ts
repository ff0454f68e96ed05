import { joinedRoots } from 'patchmail/series/setThreads.ts';
import type { Part } from './formedSets.ts';

/** Parts in a thread that is one of a series with a thread for each patch. */
const mostOfThread = 20;

interface NamedMail {
	readonly id: number;
	readonly threadId: number;
}

/**
 * Threads of the server that are one thread. A server begins a thread with each mail whose parent it lacks, and a reply
 * may arrive before its parent (docs/protocol.md#threads). Some people send each patch as a thread of its own.
 */
export class JoinedThreads {
	/** By Message-ID. */
	readonly #named = new Map<string, NamedMail>();
	/** First mails that name a parent which the server lacks. */
	readonly #strays = new Map<number, readonly string[]>();
	/** Parts of series by thread, which may be apart from the others. */
	readonly #apart = new Map<number, readonly Part[]>();
	/** Parents of first mails. */
	#parents: ReadonlyMap<number, NamedMail> = new Map();
	/** First threads by all their threads. */
	#firsts: ReadonlyMap<number, number> = new Map();
	#members: ReadonlyMap<number, readonly number[]> = new Map();

	/** Takes the known mails of a thread. */
	note(threadId: number, parts: readonly Part[]): void {
		for (const { mail } of parts) {
			const known = this.#named.get(mail.messageId);
			// The server drops repeated Message-IDs.
			if (!known || known.id >= mail.id) {
				this.#named.set(mail.messageId, { id: mail.id, threadId });
			}
		}
		const above = parts.find(({ id }) => id === threadId)?.mail.above;
		if (above) {
			this.#strays.set(threadId, above);
		} else {
			this.#strays.delete(threadId);
		}
		const loose = parts.filter(isPartOfMore);
		if (loose.length === 0 || loose.length > mostOfThread) {
			this.#apart.delete(threadId);
		} else {
			this.#apart.set(threadId, loose);
		}
	}

	/** Call after all changes. Returns the threads that this concerns. */
	joinAgain(): readonly number[] {
		const before = this.#firsts;
		this.#parents = this.#parentsNow();
		const topOf = (threadId: number): number => {
			let top = threadId;
			for (let above = this.#parents.get(top); above; above = this.#parents.get(top)) {
				top = above.threadId;
			}
			return top;
		};
		const tops = new Map(Array.from(this.#apart).flatMap(([id, parts]) => parts.map((part) => [part, topOf(id)])));
		const joined = joinedRoots([...tops.keys()], (part) => tops.get(part) ?? part.id);
		const links = Array.from(this.#parents).flatMap(([id, above]) => [id, above.threadId]);
		const now = new Map<number, number>();
		for (const id of new Set([...links, ...joined.keys()])) {
			const top = topOf(id);
			now.set(id, joined.get(top) ?? top);
		}
		this.#firsts = now;
		this.#members = Map.groupBy(now.keys(), (id) => now.get(id) ?? id);
		const changed = [...before.keys(), ...now.keys()].filter((id) => before.get(id) !== now.get(id));
		return changed.flatMap((id) => [id, before.get(id) ?? id, now.get(id) ?? id]);
	}

	/** Adds no parent that would close a cycle: mails can name each other. */
	#parentsNow(): ReadonlyMap<number, NamedMail> {
		const parents = new Map<number, NamedMail>();
		for (const [threadId, names] of this.#strays) {
			const parent = names
				.map((name) => this.#named.get(name))
				.find((named) => named !== undefined && named.threadId !== threadId);
			let top = parent;
			while (top && top.threadId !== threadId) {
				top = parents.get(top.threadId);
			}
			if (parent && !top) {
				parents.set(threadId, parent);
			}
		}
		return parents;
	}

	/** The thread that a thread belongs to; itself by default. */
	firstOf(threadId: number): number {
		return this.#firsts.get(threadId) ?? threadId;
	}

	/** All threads of a first thread, itself included. */
	members(first: number): readonly number[] {
		return this.#members.get(first) ?? [first];
	}

	/** Number of the mail above the first mail of a thread. */
	parentOf(threadId: number): number | undefined {
		return this.#parents.get(threadId)?.id;
	}
}

export function isLoose({ patchsetId, place }: Part): boolean {
	return patchsetId === undefined && place?.isReply === false;
}

function isPartOfMore(part: Part): boolean {
	return isLoose(part) && part.place?.isNumbered === true && part.place.count > 1;
}
