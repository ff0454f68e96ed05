import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { pageAccount } from '../../../editor/pages/pageAccount.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import { isSameRepository, type RepositoryRef } from '../../../forge/repository.ts';
import { handler, type Handlers } from '../../../protocol/channel.ts';
import { nothing } from '../../../protocol/pageValues.ts';
import type { PieceProtocol, PieceStart } from '../../../protocol/pieceProtocol.ts';
import type { Connection } from '../../../state/connection.ts';
import type { PagePartParts } from './pagePart.ts';
import type { RepositoryPagesParts } from './pageParts.ts';
import { pieceTeller, type IfNew } from './pieceTeller.ts';

/** What one open page is made with. */
export interface OpenPiecesParts<Strings, Change extends object> {
	readonly parts: RepositoryPagesParts;
	/** The repository that it is about, or in which that is. */
	readonly subject: { readonly connectionKey: string; readonly ref: RepositoryRef };
	readonly link: PageLink<PieceProtocol<PieceStart<Strings, Change>, Change>>;
	/** Texts that do not depend on what is shown. */
	readonly strings: () => Strings;
	/** What the page shows now, each piece only if it is new. */
	readonly now: (ifNew: IfNew) => Change;
	/** Begins to read all that the page shows. */
	readonly read: () => void;
	/** Listens to what else the page shows. */
	readonly watch: (connection: Connection) => Disposable;
	/** The repository has this name now. */
	readonly renamed: (to: RepositoryRef) => void;
}

/** One open page that is told whatever is different, and whichever connection stands for its account. */
export interface OpenPieces<Start> {
	/** Begins to read, and answers what is known without. */
	open(): Start;
	/** Something may be different. */
	changed(): void;
	/** What the page's parts read with. */
	readonly reading: PagePartParts;
	/** The account, while it is signed in. */
	known(): Connection | undefined;
	/** The same. Throws "not signed in" once it is gone. */
	connection(): Connection;
	/** Answers what every such page asks. */
	readonly handlers: Pick<Handlers<PieceProtocol<Start, unknown>>, 'load' | 'again'>;
}

/** Follows the account, and tells the page what `now` says. */
export function openPieces<Strings, Change extends object>({
	parts: { connections, problems, clock },
	subject,
	link,
	strings,
	now,
	read,
	watch,
	renamed,
}: OpenPiecesParts<Strings, Change>): OpenPieces<PieceStart<Strings, Change>> {
	const { signal } = link;
	const teller = pieceTeller({ now, tell: (change) => link.tell('changed', change), clock, signal });
	const account = pageAccount({
		connections,
		connectionKey: subject.connectionKey,
		link,
		watch: watchAll,
		arrived(connection) {
			readWith(connection);
			link.tell('reload', undefined);
		},
	});

	function watchAll(connection: Connection): Disposable {
		const owned = new Disposables();
		owned.add(watch(connection));
		owned.add(
			connection.repositories.onDidChange((change) => {
				if (change.kind === 'renamed' && isSameRepository(change.from, subject.ref)) {
					renamed(change.to);
				}
			}),
		);
		return owned;
	}

	function readWith(connection: Connection): void {
		account.follow(connection);
		read();
	}

	const start = (): PieceStart<Strings, Change> => ({
		locale: vscode.env.language,
		strings: strings(),
		change: teller.all(),
	});

	return {
		open() {
			const connection = account.known();
			if (connection) {
				readWith(connection);
			}
			return start();
		},
		changed: () => teller.changed(),
		reading: { problems, changed: () => teller.changed(), signal },
		known: () => account.known(),
		connection: () => account.connection(),
		handlers: {
			load: handler(nothing, async () => start()),
			again: handler(nothing, async () => {
				readWith(account.connection());
				return undefined;
			}),
		},
	};
}
