import { LRUCache } from 'lru-cache';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { leavesKnown } from 'sourcehut/port/isAway.ts';
import { listKey, type Email, type MailName, type ShortEmail } from 'sourcehut/port/list.ts';
import { statedChanges } from 'sourcehut/port/statedChanges.ts';
import { glanceAt } from 'patchmail/series/setText.ts';
import { subjectOfThread } from 'patchmail/series/patchSubject.ts';
import type { KeptMails } from './keptMails.ts';
import { keptSize } from '../shared/readingSize.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import type { MailSummary } from './mailSummary.ts';

/** In characters. */
const mostText = 32_000_000;
/** Fixed cost of a mail. */
const overhead = 500;

const mostNames = 1000;

/** Cache of whole mails. Mails never change, so each one costs one request while it fits. */
export class ListMails implements Disposable {
	readonly #api: ListApi;
	readonly #disk: KeptMails | undefined;
	readonly #kept = new LRUCache<number, Email>({
		maxSize: mostText,
		sizeCalculation: ({ envelope }) => keptSize(envelope.length + overhead, mostText),
	});
	/** Numbers by Message-ID. Another list may have a mail with this Message-ID. */
	readonly #numbers = new LRUCache<string, number>({ max: mostNames });
	readonly #reads = new SharedReads<Email>();

	/** `disk`: absent without persistence. */
	constructor(api: ListApi, disk: KeptMails | undefined) {
		this.#api = api;
		this.#disk = disk;
	}

	known(id: number): Email | undefined {
		return this.#kept.get(id);
	}

	mail(id: number, signal: AbortSignal): Promise<Email> {
		const known = this.#kept.get(id);
		return known
			? Promise.resolve(known)
			: this.#reads.read(
					String(id),
					async (shared) => {
						const kept = await this.here(id);
						shared.throwIfAborted();
						if (kept) {
							return kept;
						}
						try {
							return this.#keep(await this.#api.email(id, shared));
						} catch (error) {
							// Offline, a patch without its patchset is better than none.
							const young = leavesKnown(error) ? await this.#disk?.youngPatch(id) : undefined;
							if (!young) {
								throw error;
							}
							return young;
						}
					},
					signal,
				);
	}

	/** From memory or disk, for offline views. Never rejects. */
	async anyHere(id: number): Promise<Email | undefined> {
		return (await this.here(id)) ?? this.#disk?.youngPatch(id);
	}

	/** From memory or disk. Never rejects. */
	async here(id: number): Promise<Email | undefined> {
		const known = this.#kept.get(id);
		if (known || !this.#disk) {
			return known;
		}
		const kept = await this.#disk.mail(id);
		const since = this.#kept.get(id) ?? kept;
		if (since) {
			this.#kept.set(id, since);
		}
		return since;
	}

	/** An earlier result for a Message-ID, without a request. Never rejects. */
	async hereNamed(messageId: string): Promise<Email | undefined> {
		const id = this.#numbers.get(messageId) ?? (await this.#disk?.numberOf(messageId));
		const mail = id === undefined ? undefined : await this.here(id);
		return mail?.messageId === messageId ? mail : undefined;
	}

	/** Always sends a request. A forge may return the mail of another list. */
	mailNamed({ messageId, list }: MailName, signal: AbortSignal): Promise<Email> {
		const read = async (shared: AbortSignal): Promise<Email> => {
			const mail = this.#keep(await this.#api.email({ messageId, list }, shared));
			this.foundNamed(messageId, mail.id);
			return mail;
		};
		return this.#reads.read(JSON.stringify([messageId, list && listKey(list)]), read, signal);
	}

	/** Stores the result for other windows. */
	foundNamed(messageId: string, id: number): void {
		this.#numbers.set(messageId, id);
		this.#disk?.keepNumber(messageId, id);
	}

	/** Caches the text of a mail. Returns its summary. */
	take(mail: Email | ShortEmail): MailSummary {
		if (!('envelope' in mail)) {
			return { ...mail, isPatch: undefined, changes: undefined };
		}
		this.#keep(mail);
		const { isRequestPull: _pull, replies: _replies, participants: _people, envelope, ...said } = mail;
		const changes = said.isPatch ? statedChanges(envelope) : undefined;
		const isReply = !said.isPatch && subjectOfThread(said.subject) !== said.subject.trim();
		if (isReply && said.parentId !== undefined) {
			return { ...said, changes };
		}
		const { from, hasDiff, author, statedMs, above: named } = glanceAt(envelope);
		const above = said.parentId === undefined && named.length > 0 ? { above: named } : {};
		if (isReply) {
			return { ...said, changes, ...above };
		}
		const facts = {
			...(hasDiff === undefined ? {} : { hasDiff }),
			...(author === undefined ? {} : { author }),
			...(statedMs === undefined ? {} : { statedMs }),
		};
		return { ...said, changes, from, ...facts, ...above };
	}

	/** The same for a mail that may predate its patchset. */
	takeBeside(mail: Email, { patchsetId }: Pick<ShortEmail, 'patchsetId'>): MailSummary {
		return this.take(mail.patchsetId === undefined ? { ...mail, patchsetId } : mail);
	}

	/** Only the patchset of a mail can change. */
	#keep(mail: Email): Email {
		const before = this.#kept.get(mail.id);
		this.#kept.set(mail.id, mail);
		if (!before || before.patchsetId !== mail.patchsetId) {
			this.#disk?.keepMail(mail, before !== undefined);
		}
		return mail;
	}

	dispose(): void {
		this.#reads.abortAll();
		this.#kept.clear();
	}
}
