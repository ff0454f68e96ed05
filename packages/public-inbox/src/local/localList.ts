import { stat } from 'node:fs/promises';
import { folderOfMails } from './mailFolder.ts';
import { mailboxFile } from './mailboxFile.ts';
import type { ArchivedMails } from '../http/archiveClient.ts';
import type { FeedEntry } from '../read/atomFeed.ts';
import type { IndexRequest } from './indexAnswerer.ts';
import type { LocalPage, MailText } from './mailIndex.ts';
import { localPrefixes } from './searchQuery.ts';
import { type AskIndex, IndexOfMailbox, MailboxError, type MailSource } from './mailSource.ts';

/** The mailbox at a path that a person chose: a folder, or a file. */
export async function mailboxAt(path: string, nowMs: () => number): Promise<MailSource> {
	const found = await stat(path).catch(() => undefined);
	if (found?.isDirectory() !== true && found?.isFile() !== true) {
		throw new MailboxError('noMailbox');
	}
	return found.isFile() ? mailboxFile(path) : folderOfMails(path, nowMs);
}

/** Mails of one thread that are answered with. The largest threads of lists have a few thousand. */
const mostOfThread = 10_000;

/**
 * A list of mails on this machine, without the network. `file`: of the index. A damaged one is made anew.
 * Answers show the index as it is; `refresh` brings it up to the mailbox. Methods throw `MailboxError`.
 */
export class LocalList {
	/** That searches understand. */
	readonly prefixes = localPrefixes;
	readonly #source: MailSource;
	readonly #ask: AskIndex;
	readonly #file: string;
	readonly #nowMs: () => number;
	#refreshing: Promise<void> = Promise.resolve();

	constructor(source: MailSource, ask: AskIndex, file: string, nowMs: () => number) {
		this.#source = source;
		this.#ask = ask;
		this.#file = file;
		this.#nowMs = nowMs;
	}

	/** One refresh at a time. `onProgress`: number of mails that came. */
	async refresh(onProgress: (mails: number) => void, signal: AbortSignal): Promise<void> {
		const refreshing = this.#refreshing.catch(() => undefined).then(() => this.#refresh(onProgress, signal));
		this.#refreshing = refreshing;
		refreshing.catch(() => undefined);
		await refreshing;
	}

	async #refresh(onProgress: (mails: number) => void, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		const tried = (): Promise<void> =>
			this.#source.refresh(new IndexOfMailbox(this.#ask, this.#file, onProgress), signal);
		try {
			await tried();
		} catch (error) {
			if (!isLost(error)) {
				throw error;
			}
			await tried();
		}
	}

	/** Hits from a place on, newest first. An empty query finds all mails. */
	async search(
		{ query, from, rows }: { readonly query: string; readonly from: number; readonly rows: number },
		signal: AbortSignal,
	): Promise<LocalPage> {
		const answer = await this.#answer({ kind: 'search', query, from, most: rows, nowMs: this.#nowMs() }, signal);
		return answer.kind === 'page'
			? answer.page
			: { rows: [], from, to: from, total: 0, isEstimate: false, missing: [] };
	}

	/** The newest mails, as many as an archive names. */
	async newest(signal: AbortSignal): Promise<readonly FeedEntry[]> {
		return (await this.search({ query: '', from: 0, rows: 25 }, signal)).rows;
	}

	/** All texts under a Message-ID: lists and mail programs may have changed one. */
	async mail(messageId: string, mostBytes: number, signal: AbortSignal): Promise<ArchivedMails> {
		const answer = await this.#answer({ kind: 'texts', messageId }, signal);
		return await this.#contents(answer.kind === 'mails' ? answer.mails : [], mostBytes, signal);
	}

	/** The thread of a mail, in the order of arrival. Any of its ids will do, also one that the mailbox lacks. */
	async thread(messageId: string, mostBytes: number, signal: AbortSignal): Promise<ArchivedMails> {
		return await this.#contents(await this.rowsOfThread(messageId, signal), mostBytes, signal);
	}

	/** The same without its texts. */
	async rowsOfThread(messageId: string, signal: AbortSignal): Promise<readonly MailText[]> {
		const answer = await this.#answer({ kind: 'thread', messageId, most: mostOfThread }, signal);
		return answer.kind === 'mails' ? answer.mails : [];
	}

	/** Mails that are gone from the mailbox since the last refresh are left out. */
	async #contents(wanted: readonly MailText[], mostBytes: number, signal: AbortSignal): Promise<ArchivedMails> {
		let [bytes, count] = [0, 0];
		for (const { size } of wanted) {
			bytes += size;
			if (bytes > mostBytes) {
				break;
			}
			count += 1;
		}
		const mails: Uint8Array[] = [];
		for await (const content of this.#source.contents(wanted.slice(0, count), signal)) {
			if (content) {
				mails.push(content);
			}
		}
		return { mails, isCut: count < wanted.length };
	}

	/** A lost index is filled again before the answer. */
	async #answer(question: IndexRequest, signal: AbortSignal) {
		const index = new IndexOfMailbox(this.#ask, this.#file, () => undefined);
		try {
			return await index.ask(question, signal);
		} catch (error) {
			if (!isLost(error)) {
				throw error;
			}
			await this.refresh(() => undefined, signal);
			return await index.ask(question, signal);
		}
	}
}

function isLost(error: unknown): boolean {
	return error instanceof MailboxError && error.trouble === 'lost';
}
