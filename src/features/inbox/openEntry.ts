import * as vscode from 'vscode';
import { withProgress } from '../../editor/ask/progress.ts';
import { openDestination } from '../../editor/links/openDestination.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { Commit, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../store/connection.ts';
import type { InboxEntry, ReferenceChange } from '../../store/inbox/inboxEntry.ts';

/**
 * The mail of an entry; `undefined` for other entries. It has its number in the list, because destinations only know
 * Message-IDs.
 */
export function mailOf({ key }: Connection, { thing, event }: InboxEntry): object | undefined {
	const arrived = event.kind === 'mailArrived' ? event.mailId : undefined;
	const mail = (list: ListRef, id: number): object => {
		return { kind: 'mail', connectionKey: key, list, id, messageId: undefined };
	};
	if (thing.kind === 'thread') {
		return mail(thing.list, arrived ?? thing.id);
	}
	return thing.kind === 'patchset' && arrived !== undefined ? mail(thing.ref.list, arrived) : undefined;
}

/** Opens an entry: the event on its ticket page, the mail in its thread, the patchset, or the push. */
export async function openEntry(connection: Connection, entry: InboxEntry, signal: AbortSignal): Promise<void> {
	const { thing, event } = entry;
	const mail = mailOf(connection, entry);
	if (mail) {
		await vscode.commands.executeCommand('forge.lists.openThread', mail);
		return;
	}
	switch (thing.kind) {
		case 'ticket': {
			const { ref } = thing;
			const at = 'eventId' in event ? event.eventId : undefined;
			return openDestination(connection, { kind: 'ticket', ref, ...(at === undefined ? {} : { event: at }) }, signal);
		}
		case 'thread':
			return;
		case 'patchset':
			return openDestination(connection, { kind: 'patchset', ref: thing.ref }, signal);
		case 'repository':
			return event.kind === 'pushed'
				? openPush(connection, thing.ref, event.changes, signal)
				: openDestination(connection, { kind: 'repository', ref: thing.ref }, signal);
	}
}

/**
 * Opens one added commit as itself, several as a comparison. The first reference counts, as in the entry's sentence.
 * The old and the new target of a reference may both be gone.
 */
async function openPush(
	connection: Connection,
	ref: RepositoryRef,
	changes: readonly ReferenceChange[],
	signal: AbortSignal,
): Promise<void> {
	const change = changes.find(({ now }) => now !== undefined);
	const commit = await commitAt(connection, ref, change?.now, signal);
	if (!change || !commit) {
		return openDestination(connection, { kind: 'repository', ref }, signal);
	}
	const { id, parents } = commit;
	const isBranch = change.name.startsWith('refs/heads/');
	// A merge's first parent is the branch's old commit.
	const before =
		isBranch && parents[0] !== change.old ? await commitAt(connection, ref, change.old, signal) : undefined;
	if (!before) {
		return openDestination(connection, { kind: 'commit', ref, id }, signal);
	}
	const comparison = { kind: 'comparison', connectionKey: connection.key, ref, before: before.id, after: id };
	await vscode.commands.executeCommand('forge.repositories.compare', comparison);
}

/** The id of an annotated tag leads to its commit. */
async function commitAt(
	connection: Connection,
	ref: RepositoryRef,
	id: string | undefined,
	signal: AbortSignal,
): Promise<Commit | undefined> {
	if (id === undefined) {
		return undefined;
	}
	const title = vscode.l10n.t('Loading commit {0}…', visibleLine(id.slice(0, 7)));
	return withProgress(title, signal, (working) =>
		unlessMissing(connection.repositories.folders.commit(ref, id, working)),
	);
}
