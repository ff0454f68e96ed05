import * as vscode from 'vscode';
import {
	action,
	handler,
	nothing,
	type L10n,
	type PieceProtocol,
	type PieceStart,
} from '../../pages/protocol/pageProtocol.ts';
import type { Connection } from '../../store/connection.ts';
import { livePage, type LiveContent } from './livePage.ts';
import type { PageLink } from './pageHost.ts';
import { pagePieces, type IfNew } from './pagePieces.ts';

export interface PieceContent<Strings, Change> {
	readonly parts: LiveContent<Change>['parts'];
	readonly subject: LiveContent<Change>['subject'];
	readonly watch: LiveContent<Change>['watch'];
	readonly link: PageLink<PieceProtocol<PieceStart<Strings, Change>, Change>>;
	/** Static texts. */
	readonly strings: (l10n: L10n) => Strings;
	/** Current content; `ifNew` drops unchanged pieces. */
	readonly now: (ifNew: IfNew) => Change;
	/** Begins to read all that the page shows. */
	readonly read: (connection: Connection) => void;
}

/** A live page that shows known pieces at once and others on arrival. */
export type PiecePage<Strings, Change> = ReturnType<typeof piecePage<Strings, Change>>;

/** Publishes the result of `now`. */
export function piecePage<Strings, Change>({ strings, now, read, ...content }: PieceContent<Strings, Change>) {
	const pieces = pagePieces();
	let isAnyNew = false;
	const page = livePage<Change>({
		...content,
		next() {
			isAnyNew = false;
			const change = now(ifNew);
			return { change: isAnyNew ? change : undefined, goesOn: false };
		},
		arrived(connection) {
			readWith(connection);
			content.link.tell('reload', undefined);
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
		return { locale: vscode.env.language, strings: strings(vscode.l10n), change: now(ifNew) };
	}

	return {
		...page,
		/** Starts loading and returns known content. */
		open(): PieceStart<Strings, Change> {
			const connection = page.known();
			if (connection) {
				readWith(connection);
			}
			return start();
		},
		/** All known content, for an empty page. */
		start,
		/** Handlers common to all such pages. */
		handlers: {
			load: handler(nothing, async () => start()),
			again: action(nothing, () => readWith(page.connection())),
		},
	};
}
