import * as vscode from 'vscode';
import { readingTool } from '../../editor/models/languageTool.ts';
import { largestAnswerBytes, numberField, oneLine, signedInOr } from '../../editor/models/toolInput.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import { spelled } from 'sourcehut/port/word.ts';
import { accountName, type Connections } from '../../store/connection.ts';
import type { InboxEvent, InboxReason, InboxThing, MovedTicket } from '../../store/inbox/inboxEntry.ts';
import { untrustedFrame } from '../../engine/text/untrustedFrame.ts';

const usualLimit = 50;
const highestLimit = 200;

/** The inbox for language models. Unread entries stay unread. Remote text carries a mark. */
export const inboxTools = {
	forge_readInbox: readingTool(() => vscode.l10n.t('Reading the inbox'), readInbox),
};

/** The unread entries of all accounts, newest first, as far as they fit. Asks the forge for nothing. */
export function readInbox(connections: Connections, input: unknown): string {
	const limit = numberField(input, 'limit', usualLimit, highestLimit);
	const unread = signedInOr(connections.all())
		.flatMap((connection) =>
			connection.inbox
				.items()
				.filter(({ state }) => state === 'unread')
				.map(({ entry }) => ({ connection, entry })),
		)
		.toSorted((one, other) => other.entry.atMs - one.entry.atMs);
	const shown = unread.slice(0, limit).map(({ connection, entry }) => {
		const { thing, atMs, by, reason, event } = entry;
		const facts = [
			`[${new Date(atMs).toISOString()}] ${nameOf(thing)}`,
			`by ${by ?? 'somebody'}: ${eventText(event)}`,
			`(${reasonTexts[reason]}; for ${accountName(connection)} on ${connection.instance.name})`,
		];
		return oneLine(facts.join(' '));
	});
	const count = `${unread.length} unread entries, ${shown.length} are listed, newest first.`;
	return untrustedFrame([count, '', ...shown].join('\n'), largestAnswerBytes);
}

function nameOf(thing: InboxThing): string {
	switch (thing.kind) {
		case 'ticket':
			return `ticket ${ticketRefText(thing.ref)} "${thing.title}"`;
		case 'thread':
			return `thread ${thing.id} of ${refText(thing.list)} "${thing.subject}"`;
		case 'patchset': {
			const mail = firstMailOfFormed(thing.ref.id);
			const name = mail === undefined ? `patchset ${thing.ref.id}` : `patchset of mail ${mail}`;
			return `${name} of ${refText(thing.ref.list)} "${thing.subject}"`;
		}
		case 'repository':
			return `repository ${refText(thing.ref)}`;
	}
}

function eventText(event: InboxEvent): string {
	switch (event.kind) {
		case 'ticketCreated':
			return 'submitted';
		case 'commented':
			return `${event.moved ? `${movedText(event.moved)}, ` : ''}commented: ${event.excerpt}`;
		case 'statusChanged':
			return movedText(event.moved);
		case 'labelled':
			return `labels added: ${event.labels.join(', ')}`;
		case 'unlabelled':
			return `labels removed: ${event.labels.join(', ')}`;
		case 'assigned':
			return `assigned ${event.to}`;
		case 'unassigned':
			return `unassigned ${event.to}`;
		case 'namedByTicket':
			return `mentioned in ticket ${event.from ?? '(unknown)'}`;
		case 'mailArrived':
			return `mail ${event.mailId}: ${event.subject}`;
		case 'patchsetReceived':
			return `sent version ${event.version}${event.path === undefined ? '' : `, which changes ${event.path}`}`;
		case 'patchsetMarked':
			return `status ${spelled(event.status)}`;
		case 'pushed':
			return `pushed ${event.changes.map(({ name, old, now }) => `${name} ${old ?? 'new'}..${now ?? 'deleted'}`).join(', ')}`;
	}
}

function movedText({ status, resolution }: MovedTicket): string {
	return `status ${spelled(status)}${resolution === undefined ? '' : ` (${spelled(resolution)})`}`;
}

const reasonTexts: Readonly<Record<InboxReason, string>> = {
	mentioned: 'mentions the person',
	assigned: 'assigned to the person',
	reviewAsked: 'the person is asked for a review',
	answered: 'about a mail or patch of the person',
	newVersion: 'new version of what the person reviewed',
	mine: 'belongs to the person',
	participating: 'the person takes part',
	watchedFile: 'changes a file that the person watches',
	followed: 'the person follows it',
};
