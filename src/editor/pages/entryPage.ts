import * as vscode from 'vscode';
import type { EntryStart } from '../../pages/protocol/pageProtocol.ts';
import type { Connection } from '../../store/connection.ts';
import { livePage, type LiveContent, type LiveProtocol } from './livePage.ts';
import type { PageLink } from './pageHost.ts';

/** News that every page of entries takes. */
interface EntryProtocol<Change> extends LiveProtocol<Change> {
	readonly news: {
		readonly changed: Change;
		/** Requested entry. */
		readonly goTo: number;
	};
}

interface EntryContent<Start, Change> extends LiveContent<Change> {
	readonly link: PageLink<EntryProtocol<Change>>;
	/** Whether there is something to show without waiting. */
	readonly isKnown: (connection: Connection) => boolean;
	/** Reads until the page has something to show. */
	readonly read: (connection: Connection) => Promise<void>;
	/** The page lost its content. */
	readonly forget: () => void;
	readonly start: (start: EntryStart<Change>) => Start;
}

/** A live page of numbered entries, such as comments or mails. */
export type EntryPage<Start extends EntryStart<unknown>> = ReturnType<typeof entryPage<Start, unknown>>;

/**
 * Loads while the editor opens the page. Numbers the starts, so that a page with a start receives only later news.
 * Scrolls a listening page to the requested entry.
 */
export function entryPage<Start extends EntryStart<unknown>, Change>({
	isKnown,
	read,
	forget,
	start,
	...content
}: EntryContent<Start, Change>) {
	const { link } = content;
	const page = livePage(content);
	/** Pending scroll target: part of the next start, or a message to a listening page. */
	let target = link.entry;
	let reading: Promise<void> | undefined;
	let number = 0;
	/** Number of start requests. */
	let asked = 0;

	async function readPage(): Promise<void> {
		const connection = page.connection();
		page.follow(connection);
		await read(connection);
	}

	async function load(): Promise<void> {
		reading ??= readPage();
		try {
			await reading;
		} finally {
			reading = undefined;
		}
	}

	function startWith(change: Change | undefined, failure: string | undefined): Start {
		return start({ number, locale: vscode.env.language, entry: target, change, failure });
	}

	function tellTarget(): void {
		if (target === undefined || !page.isListening()) {
			return;
		}
		link.tell('goTo', target);
		// Hidden pages receive no messages and ask again when shown.
		target = link.isVisible() ? undefined : target;
	}

	/** Wait for the answer to go out: the page treats its start as complete and would lose earlier news. */
	async function listenAfter(turn: number): Promise<void> {
		await page.pause();
		if (turn === asked) {
			await page.listen();
			tellTarget();
		}
	}

	link.owned.add(
		link.onDidWant((entry) => {
			target = entry;
			tellTarget();
		}),
	);
	return {
		...page,
		/** Starts loading and returns known data. `start` reports errors. */
		open(): Start | undefined {
			const connection = page.known();
			if (!connection) {
				return undefined;
			}
			reading = readPage();
			reading.catch(() => undefined);
			if (!isKnown(connection)) {
				return undefined;
			}
			number += 1;
			return startWith(page.next().change, undefined);
		},
		/** Data for a page with the start `known`. Never rejects: the page needs its texts even to show an error. */
		async start(known: number): Promise<Start> {
			// A page that was hidden has its original, outdated start.
			const isAnew = known === 0 || known !== number || asked > 0;
			asked += 1;
			const turn = asked;
			// Hold back news until the page is ready.
			page.stopListening();
			try {
				await load();
				if (isAnew) {
					forget();
					number += 1;
				}
				const answered = startWith(page.next().change, undefined);
				void listenAfter(turn);
				target = answered.failure === undefined ? undefined : target;
				return answered;
			} catch (error) {
				page.log(error);
				return startWith(undefined, page.explain(error));
			}
		},
		/** Loads, or joins a running load; then the content is available. */
		load,
		/** Requested entry. */
		entry: () => target,
	};
}
