import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isDamage, isDiskTrouble, openDatabase, removeDatabase } from './indexDatabase.ts';
import { mailFacts } from './mailFacts.ts';
import { MailIndex, type LocalPage, type MailText, type PlacedFacts, type PlaceStamp } from './mailIndex.ts';
import { parseQuery } from './searchQuery.ts';

/** A mail to add. A long one comes without its end. */
export interface PlacedMail extends PlaceStamp {
	/** Of the whole mail. */
	readonly size: number;
	readonly bytes: Uint8Array;
}

/** A request to the index of one mailbox. */
export type IndexRequest =
	| { readonly kind: 'reached' }
	| {
			readonly kind: 'step';
			readonly added: readonly PlacedMail[];
			readonly removed: readonly string[];
			/** Stays as it is without one. */
			readonly reached: string | undefined;
			/** Of the answer to `reached`. */
			readonly life: string;
	  }
	| { readonly kind: 'clear' }
	| { readonly kind: 'unknown'; readonly places: readonly PlaceStamp[] }
	| { readonly kind: 'places'; readonly after: string; readonly most: number }
	| {
			readonly kind: 'search';
			readonly query: string;
			readonly from: number;
			readonly most: number;
			readonly nowMs: number;
	  }
	| { readonly kind: 'texts'; readonly messageId: string }
	| { readonly kind: 'thread'; readonly messageId: string; readonly most: number }
	| { readonly kind: 'count' }
	| { readonly kind: 'close' };

/** A request to the thread of the indexes. `file`: of the index. */
export type IndexQuestion = IndexRequest & { readonly file: string };

export type IndexAnswer =
	| { readonly kind: 'done' }
	| { readonly kind: 'reached'; readonly reached: string | undefined; readonly life: string }
	| { readonly kind: 'places'; readonly places: readonly PlaceStamp[] }
	| { readonly kind: 'page'; readonly page: LocalPage }
	| { readonly kind: 'mails'; readonly mails: readonly MailText[] }
	| { readonly kind: 'count'; readonly count: number }
	| { readonly kind: 'trouble'; readonly trouble: IndexTrouble };

export type IndexTrouble =
	/** The index was damaged, or its mailbox was replaced. It begins anew. */
	| 'lost'
	/** The disk is full, or fails. The index is as it was before. */
	| 'disk'
	/** This editor has no `node:sqlite` with full-text search. */
	| 'unsupported'
	/** Another process writes for too long, or the file is not accessible. */
	| 'failed';

interface OpenIndex {
	readonly database: DatabaseSync;
	readonly index: MailIndex;
	/** Of the file. */
	readonly inode: bigint;
}

/** More mailboxes at once are rare, and each holds a cache of pages. */
const mostOpen = 3;

/** Creates the responder. It never throws, and takes one question at a time. */
export function indexAnswerer(): (question: IndexQuestion) => Promise<IndexAnswer> {
	const open = new Map<string, OpenIndex>();

	function close(file: string): void {
		open.get(file)?.database.close();
		open.delete(file);
	}

	async function indexAt(file: string): Promise<MailIndex> {
		const known = open.get(file);
		// Another process may have put a new index in place of a damaged one.
		if (known && statSync(file, { bigint: true, throwIfNoEntry: false })?.ino === known.inode) {
			return known.index;
		}
		close(file);
		const [oldest] = open.keys();
		if (open.size >= mostOpen && oldest !== undefined) {
			close(oldest);
		}
		const database = await openDatabase(file);
		const index = new MailIndex(database);
		open.set(file, { database, index, inode: statSync(file, { bigint: true }).ino });
		return index;
	}

	return async (question) => {
		const { file } = question;
		try {
			if (question.kind === 'close') {
				close(file);
				return { kind: 'done' };
			}
			return await answerTo(question, await indexAt(file));
		} catch (error) {
			return { kind: 'trouble', trouble: await mended(error) };
		}

		async function mended(error: unknown): Promise<IndexTrouble> {
			if (error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_BUILTIN_MODULE') {
				return 'unsupported';
			}
			if (error instanceof Error && error.message.includes('no such module: fts5')) {
				return 'unsupported';
			}
			if (!isDamage(error)) {
				return isDiskTrouble(error) ? 'disk' : 'failed';
			}
			try {
				close(file);
				removeDatabase(file);
				await indexAt(file);
				return 'lost';
			} catch {
				return 'failed';
			}
		}
	};
}

async function answerTo(
	question: Exclude<IndexRequest, { readonly kind: 'close' }>,
	index: MailIndex,
): Promise<IndexAnswer> {
	switch (question.kind) {
		case 'reached':
			return { kind: 'reached', ...index.progress() };
		case 'step': {
			const added: PlacedFacts[] = [];
			for (const { bytes, ...placed } of question.added) {
				added.push({ ...placed, facts: await mailFacts(bytes) });
			}
			return index.step(added, question.removed, question.reached, question.life)
				? { kind: 'done' }
				: { kind: 'trouble', trouble: 'lost' };
		}
		case 'clear':
			index.clear();
			return { kind: 'done' };
		case 'unknown':
			return { kind: 'places', places: index.unknown(question.places) };
		case 'places':
			return { kind: 'places', places: index.places(question.after, question.most) };
		case 'search':
			return {
				kind: 'page',
				page: index.search(parseQuery(question.query, question.nowMs), question.from, question.most),
			};
		case 'texts':
			return { kind: 'mails', mails: index.texts(question.messageId) };
		case 'thread':
			return { kind: 'mails', mails: index.thread(question.messageId, question.most) };
		case 'count':
			return { kind: 'count', count: index.count() };
	}
}
