import * as vscode from 'vscode';
import type { PieceProtocol, PieceStart } from '../../protocol/pieceProtocol.ts';
import type { Connection } from '../../state/connection.ts';
import { livePage, type LivePage, type LivePageParts } from './livePage.ts';
import type { PageLink } from './pageHost.ts';

/** Passes a piece of a page on when the page does not know it yet. */
export type IfNew = <T>(piece: string, view: T) => T | undefined;

/** What one page of pieces is made with. */
export interface PiecePageParts<Strings, Change> extends Pick<LivePageParts<Change>, 'parts' | 'subject' | 'watch'> {
	readonly link: PageLink<PieceProtocol<PieceStart<Strings, Change>, Change>>;
	/** Texts that do not depend on what is shown. */
	readonly strings: () => Strings;
	/** What the page shows now, each piece only if it is new. Pieces are plain JSON and compared as such. */
	readonly now: (ifNew: IfNew) => Change;
	/** Begins to read all that the page shows. */
	readonly read: (connection: Connection) => void;
}

/** A live page that shows at once what is known, and each other piece when it comes. */
export interface PiecePage<Start> extends Pick<
	LivePage<unknown>,
	'known' | 'connection' | 'changed' | 'explain' | 'log'
> {
	/** Begins to read, and answers what is known without. */
	open(): Start;
	/** All that is known now, for a page that knows nothing. */
	start(): Start;
	/** Reads what could not be read. */
	again(): void;
}

/** Publishes what `now` answers. */
export function piecePage<Strings, Change>({
	strings,
	now,
	read,
	...parts
}: PiecePageParts<Strings, Change>): PiecePage<PieceStart<Strings, Change>> {
	/** How each piece was published last, as JSON. */
	const published = new Map<string, string>();
	let isAnyNew = false;
	const page = livePage<Change>({
		...parts,
		next() {
			isAnyNew = false;
			const change = now(ifNew);
			return { change: isAnyNew ? change : undefined, goesOn: false };
		},
		arrived(connection) {
			readWith(connection);
			parts.link.tell('reload', undefined);
		},
		listensAtOnce: true,
	});

	function ifNew<T>(piece: string, view: T): T | undefined {
		const text = JSON.stringify(view);
		if (published.get(piece) === text) {
			return undefined;
		}
		published.set(piece, text);
		isAnyNew ||= view !== undefined;
		return view;
	}

	function readWith(connection: Connection): void {
		page.follow(connection);
		read(connection);
	}

	function start(): PieceStart<Strings, Change> {
		published.clear();
		return { locale: vscode.env.language, strings: strings(), change: now(ifNew) };
	}

	return {
		...page,
		open() {
			const connection = page.known();
			if (connection) {
				readWith(connection);
			}
			return start();
		},
		start,
		again: () => readWith(page.connection()),
	};
}
