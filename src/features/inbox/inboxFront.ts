import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { watchConnections } from '../../store/connection.ts';
import type { InboxItem } from '../../store/inbox/inboxBook.ts';
import { thingKey } from '../../store/inbox/inboxEntry.ts';
import { watchedKey } from '../../store/inbox/watched.ts';
import type { InboxContext, WatchedSubject } from './inboxContext.ts';
import { thingsIn, type InboxTarget } from './inboxTargets.ts';
import { mailOf } from './openEntry.ts';

/** An opened row of the Inbox. */
interface OpenedRow {
	/** Account and thing. */
	readonly name: string;
	/** The row's entry; `undefined` for the row of a thing. */
	readonly entryId: string | undefined;
	/** The mail of the page. A patchset's mail opens its thread, whose name differs. */
	readonly mail: object | undefined;
}

/** Pages and diffs in front as rows of the Inbox, so that its keys and menus work on them. */
export type InboxFront = ReturnType<typeof inboxFront>;

/** Sets the context key for menus. */
export function inboxFront({ connections, watchedOf, pageInFront, onDidChangeFront }: InboxContext) {
	const owned = new Disposables();
	/** By name, the latest last. */
	const opened = new Map<string, OpenedRow>();

	const rowInFront = (): OpenedRow | undefined =>
		[...opened.values()].findLast(({ name, mail }) => {
			const front = watchedOf(pageInFront());
			const shown = mail && watchedOf(mail);
			return front && (nameOf(front) === name || (shown && nameOf(shown) === nameOf(front)));
		});

	/** Names of the page in front: of its thing, and of its opened row. */
	function names(): readonly string[] {
		const front = watchedOf(pageInFront());
		return [front && nameOf(front), rowInFront()?.name].filter((each) => each !== undefined);
	}

	let isOffered = false;

	function tell(): void {
		const inFront = names();
		const isRow =
			inFront.length > 0 &&
			connections.all().some(({ key, inbox }) =>
				inbox
					.items()
					.filter(({ state }) => state === 'unread' || state === 'read')
					.some(({ entry }) => inFront.includes(`${key} ${thingKey(entry.thing)}`)),
			);
		if (isRow !== isOffered) {
			isOffered = isRow;
			void vscode.commands.executeCommand('setContext', 'forge.inbox.inFront', isRow);
		}
	}

	owned.add(onDidChangeFront(tell));
	owned.add(watchConnections(connections, ({ inbox }) => [inbox.onDidChange(tell)], tell));
	tell();
	return {
		/** Records an opened row. `shown`: the entry on its page. */
		note({ connection, thing, items }: InboxTarget, { entry }: InboxItem): void {
			const name = `${connection.key} ${thing.key}`;
			const isWhole = items.length === thing.items.length;
			opened.delete(name);
			opened.set(name, { name, entryId: isWhole ? undefined : items[0]?.entry.id, mail: mailOf(connection, entry) });
			tell();
		},
		/** The opened row of the page in front, otherwise the thing of the page; `undefined` if the Inbox has neither. */
		target(): InboxTarget | undefined {
			const row = rowInFront();
			const front = watchedOf(pageInFront());
			const name = row?.name ?? (front && nameOf(front));
			const [found] = connections.all().flatMap((connection) =>
				thingsIn(connection.inbox, true)
					.filter(({ key }) => name === `${connection.key} ${key}`)
					.map((thing) => ({ connection, thing })),
			);
			const entry = found?.thing.items.find(({ entry: { id }, state }) => id === row?.entryId && state !== 'done');
			return found && { ...found, items: entry ? [entry] : found.thing.items };
		},
		/** True if the Inbox opened the page in front. */
		isOpened: () => rowInFront() !== undefined,
		names,
		dispose: () => owned.dispose(),
	};
}

function nameOf({ connectionKey, watched }: WatchedSubject): string {
	return `${connectionKey} ${watchedKey(watched)}`;
}
