import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { openDestination } from '../../editor/links/openDestination.ts';
import type { ListRef } from '../../forge/list.ts';
import type { Connection } from '../../state/connection.ts';
import type { InboxEntry, InboxEvent } from '../../state/inbox/inboxEntry.ts';

/** Shows where something happened: the event on the page of its ticket, the mail in its thread, the patchset, the repository. */
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
			return openDestination(connection, { kind: 'repository', ref: thing.ref }, signal);
		default:
			return assertNever(thing);
	}
}

/** Of the ticket's timeline. */
function eventIdOf(event: InboxEvent): number | undefined {
	return 'eventId' in event ? event.eventId : undefined;
}

/** By the number that it has in its list; destinations name mails by what their addresses say. */
async function openMail({ key }: Connection, list: ListRef, id: number): Promise<void> {
	const subject = { kind: 'mail', connectionKey: key, list, id, messageId: undefined };
	await vscode.commands.executeCommand('forge.lists.openThread', subject);
}
