import * as vscode from 'vscode';
import { handler, type Handlers } from '../../pages/protocol/channel.ts';
import { nothing } from '../../pages/protocol/pageValues.ts';
import type { PieceProtocol, PieceStart } from '../../pages/protocol/pieceProtocol.ts';
import type { Connection } from '../../store/connection.ts';
import { livePage, type LivePage, type LivePageParts } from './livePage.ts';
import type { PageLink } from './pageHost.ts';
import { pagePieces, type IfNew } from './pagePieces.ts';

export interface PiecePageParts<Strings, Change> extends Pick<LivePageParts<Change>, 'parts' | 'subject' | 'watch'> {
	readonly link: PageLink<PieceProtocol<PieceStart<Strings, Change>, Change>>;
	/** Static texts. */
	readonly strings: () => Strings;
	/** Current content; `ifNew` drops unchanged pieces. */
	readonly now: (ifNew: IfNew) => Change;
	/** Begins to read all that the page shows. */
	readonly read: (connection: Connection) => void;
}

/** A live page that shows known pieces at once and others on arrival. */
export interface PiecePage<Start> extends Pick<
	LivePage<unknown>,
	'known' | 'connection' | 'changed' | 'explain' | 'log'
> {
	/** Starts loading and returns known content. */
	open(): Start;
	/** All known content, for an empty page. */
	start(): Start;
	/** Handlers common to all such pages. */
	readonly handlers: Pick<Handlers<PieceProtocol<Start, unknown>>, 'load' | 'again'>;
}

/** Publishes the result of `now`. */
export function piecePage<Strings, Change>({
	strings,
	now,
	read,
	...parts
}: PiecePageParts<Strings, Change>): PiecePage<PieceStart<Strings, Change>> {
	const pieces = pagePieces();
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
		const news = pieces.ifNew(piece, view);
		isAnyNew ||= news !== undefined;
		return news;
	}

	function readWith(connection: Connection): void {
		page.follow(connection);
		read(connection);
	}

	function start(): PieceStart<Strings, Change> {
		pieces.forgetAll();
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
		handlers: {
			load: handler(nothing, async () => start()),
			again: handler(nothing, async () => {
				readWith(page.connection());
				return undefined;
			}),
		},
	};
}
