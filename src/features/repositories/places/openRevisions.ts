import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { openAddresses } from '../../../editor/links/tabAddresses.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Commit, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Presence } from '../../../store/background/backgroundLoop.ts';
import { type Connection, watchConnections } from '../../../store/connection.ts';
import type { HeldRevision } from '../../../store/repositories/pinnedRevisions.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { placeOfUri } from '../subjects/place.ts';
import { shownName, titleOf } from '../subjects/words.ts';

/** The window of the editor. */
export function openWindow(): OpenWindow {
	return {
		places,
		onDidChangePlaces(heard) {
			const subscriptions = new Disposables();
			subscriptions.add(vscode.workspace.onDidChangeWorkspaceFolders(heard));
			subscriptions.add(vscode.window.tabGroups.onDidChangeTabs(heard));
			return subscriptions;
		},
		presence: {
			isThere: () => vscode.window.state.focused,
			onDidChange: (heard) => vscode.window.onDidChangeWindowState(() => heard(undefined)),
		},
	};
}

function places(): readonly OpenPlace[] {
	const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
	const open = new Map<string, OpenPlace>();
	for (const address of [...folders, ...openAddresses()]) {
		const place = placeOfUri(address);
		if (place?.kind === 'entry') {
			const { connectionKey, ref, at } = place;
			const key = JSON.stringify([connectionKey, refText(ref), at.ref]);
			open.set(key, { connectionKey, ref, revision: at.ref });
		}
	}
	return Array.from(open.values());
}

/** Open repository places in this window, and the user's presence. */
export interface OpenWindow {
	/** Revisions with open places, without duplicates. */
	readonly places: () => readonly OpenPlace[];
	readonly onDidChangePlaces: (heard: () => void) => Disposable;
	readonly presence: Presence;
}

export interface OpenPlace extends HeldRevision {
	readonly connectionKey: string;
}

/** Minimum interval between checks on return to the window. */
const restMs = 60_000;
/** Interval while the user stays in the window. */
const everyMs = 600_000;
/** One at a time would take long, all at once would be felt by the server. */
const mostLooks = 50;

/**
 * Pins open branches and tags to their commits, and offers to move on after the forge has newer ones. `lookedAgain`: the
 * user returned to the window, or is still in it after a while.
 */
export function openRevisions(
	{ connections, problems, clock }: RepositoriesContext,
	window: OpenWindow,
	lookedAgain: () => void,
): Disposable {
	const owned = new Disposables();
	const ending = new AbortController();
	/** Offered commits by branch or tag. */
	const offered = new Map<string, string>();
	let lastMs = Number.NEGATIVE_INFINITY;
	let next: Disposable | undefined;

	function hold(): void {
		const open = window.places();
		for (const { key, repositories } of connections.all()) {
			repositories.pinned.hold(open.filter(({ connectionKey }) => connectionKey === key));
		}
	}

	/** Checks each open name, one after the other. Returns whether the forge answered. */
	async function look(connection: Connection, within?: RepositoryRef): Promise<boolean> {
		let isAnswered = false;
		const names = window
			.places()
			.filter(({ connectionKey, revision }) => connectionKey === connection.key && !isObjectId(revision))
			.filter(({ ref }) => within === undefined || refText(ref) === refText(within))
			.filter(({ ref, revision }) => connection.repositories.folders.knownPinned(ref, revision) !== undefined);
		for (const { ref, revision } of names.slice(0, mostLooks)) {
			try {
				const newest = await connection.repositories.newerThanStanding(ref, revision, ending.signal);
				isAnswered = true;
				if (newest) {
					offer(connection, { ref, revision }, newest);
				}
			} catch (error) {
				if (isAbort(error)) {
					return false;
				}
				// Nobody asked; the folder stays as it is, and the next look may find more.
				problems.log(error);
			}
		}
		return isAnswered;
	}

	function offer(connection: Connection, held: HeldRevision, newest: Commit): void {
		const key = JSON.stringify([connection.key, refText(held.ref), held.revision]);
		if (offered.get(key) === newest.id) {
			return;
		}
		offered.set(key, newest.id);
		tellMoved(connection, held, newest).catch((error: unknown) => problems.show(error));
	}

	/** After a look at the changes, ask again: users decide then. */
	async function tellMoved(connection: Connection, { ref, revision }: HeldRevision, newest: Commit): Promise<void> {
		const { repositories, key: connectionKey } = connection;
		const before = repositories.folders.knownPinned(ref, revision)?.commit.id;
		const goThere = vscode.l10n.t('Switch to It');
		const show = vscode.l10n.t('Show Changes');
		const message = vscode.l10n.t(
			'{0} of {1} has moved to {2} "{3}". Open files and folders have not changed.',
			shownName(revision),
			shownName(refText(ref)),
			shownName(newest.shortId),
			titleOf(newest),
		);
		let chosen = await notify('information', message, goThere, ...(before === undefined ? [] : [show]));
		if (chosen === show) {
			await vscode.commands.executeCommand('forge.repositories.compare', {
				kind: 'comparison',
				connectionKey,
				ref,
				before,
				after: newest.id,
			});
			chosen = await notify('information', message, goThere);
		}
		if (chosen === goThere) {
			await repositories.advance(ref, revision, ending.signal);
		}
	}

	function lookAgain(): void {
		next?.dispose();
		next = undefined;
		if (!window.presence.isThere()) {
			return;
		}
		next = clock.after(everyMs, lookAgain);
		if (clock.nowMs() - lastMs >= restMs) {
			lastMs = clock.nowMs();
			lookedAgain();
			for (const connection of connections.all()) {
				void look(connection).then((isAnswered) => {
					if (isAnswered) {
						// The forge is reachable, so stop showing another window's cache.
						connection.repositories.forgetBefore();
					}
				});
			}
		}
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [
				connection.repositories.onDidChange((change) => {
					if (change.kind === 'moved') {
						void look(connection, change.ref);
					}
				}),
			],
			() => {
				hold();
				// A new account needs its first check.
				lastMs = Number.NEGATIVE_INFINITY;
				lookAgain();
			},
		),
	);
	owned.add(window.onDidChangePlaces(hold));
	owned.add(window.presence.onDidChange(lookAgain));
	hold();
	lookAgain();
	return {
		dispose() {
			ending.abort();
			next?.dispose();
			owned.dispose();
		},
	};
}
