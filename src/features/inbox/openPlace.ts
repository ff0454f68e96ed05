import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { openDestination } from '../../editor/links/openDestination.ts';
import { unlessMissing } from '../../forge/port/isAway.ts';
import type { ListRef } from '../../forge/port/list.ts';
import type { Commit, RepositoryRef } from '../../forge/port/repository.ts';
import type { Connection } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { InboxEntry, InboxEvent, ReferenceChange } from '../../store/inbox/inboxEntry.ts';

/** Opens an entry: the event on its ticket page, the mail in its thread, the patchset, or the push. */
export async function openEntry(
	connection: Connection,
	{ thing, event }: InboxEntry,
	signal: AbortSignal,
): Promise<void> {
	switch (thing.kind) {
		case 'ticket': {
			const { ref } = thing;
			const at = eventIdOf(event);
			return openDestination(connection, { kind: 'ticket', ref, ...(at === undefined ? {} : { event: at }) }, signal);
		}
		case 'thread':
			return openMail(connection, thing.list, event.kind === 'mailArrived' ? event.mailId : thing.id);
		case 'patchset':
			return event.kind === 'mailArrived'
				? openMail(connection, thing.ref.list, event.mailId)
				: openDestination(connection, { kind: 'patchset', ref: thing.ref }, signal);
		case 'repository':
			return event.kind === 'pushed'
				? openPush(connection, thing.ref, event.changes, signal)
				: openDestination(connection, { kind: 'repository', ref: thing.ref }, signal);
		default:
			return assertNever(thing);
	}
}

/** Of the ticket's timeline. */
function eventIdOf(event: InboxEvent): number | undefined {
	return 'eventId' in event ? event.eventId : undefined;
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

/** Uses the mail's number in its list; destinations only know Message-IDs. */
async function openMail({ key }: Connection, list: ListRef, id: number): Promise<void> {
	const subject = { kind: 'mail', connectionKey: key, list, id, messageId: undefined };
	await vscode.commands.executeCommand('forge.lists.openThread', subject);
}
