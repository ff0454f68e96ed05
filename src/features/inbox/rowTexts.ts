import * as vscode from 'vscode';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import type { Connection } from '../../store/connection.ts';
import type { InboxEntry } from '../../store/inbox/inboxEntry.ts';
import type { InboxGroup } from '../../store/inbox/inboxGroup.ts';
import type { InboxWords } from './inboxContext.ts';
import type { ThingInInbox } from './inboxTargets.ts';
import { thingTitle } from './inboxWords.ts';

/** Label of a row. The event leads, because narrow views cut off the end. */
export function rowLabel(of: ThingInInbox, connection: Connection, words: InboxWords): string {
	const { entry } = of.leading;
	const title = sentVersion(entry) === undefined ? rowTitle(of, connection) : thingTitle(of.thing);
	return `${happenedText(entry, words)} · ${title}`;
}

/** The event in a word or two. A side bar of 250 pixels has room for twenty letters, title included. */
function happenedText(entry: InboxEntry, words: InboxWords): string {
	const { reason, event, thing } = entry;
	const version = sentVersion(entry);
	if (version !== undefined) {
		return vscode.l10n.t('New v{0}', version);
	}
	switch (event.kind) {
		case 'ticketCreated':
			return reason === 'mentioned' ? vscode.l10n.t('Mentioned') : vscode.l10n.t('New ticket');
		case 'commented':
			if (reason === 'mentioned') {
				return vscode.l10n.t('Mentioned');
			}
			return event.moved ? words.ticketStatus(event.moved.status) : vscode.l10n.t('Commented');
		case 'statusChanged':
			return words.ticketStatus(event.moved.status);
		case 'labelled':
		case 'unlabelled':
			return vscode.l10n.t('Labels changed');
		case 'assigned':
			return reason === 'assigned' ? vscode.l10n.t('Assigned') : vscode.l10n.t('Assignees changed');
		case 'unassigned':
			return vscode.l10n.t('Assignees changed');
		case 'namedByTicket':
			return vscode.l10n.t('Mentioned');
		case 'mailArrived': {
			if (reason === 'mentioned') {
				return vscode.l10n.t('Mentioned');
			}
			if (reason === 'answered') {
				return vscode.l10n.t('Replied');
			}
			const isFirst = thing.kind === 'thread' && thing.id === event.mailId;
			return isFirst ? vscode.l10n.t('New thread') : vscode.l10n.t('New reply');
		}
		case 'patchsetReceived':
			return reason === 'reviewAsked' ? vscode.l10n.t('To review') : vscode.l10n.t('New patchset');
		case 'patchsetMarked':
			return words.patchsetStatus(event.status);
		case 'pushed':
			return vscode.l10n.t('New push');
	}
}

/** The version after the first that an event brought, unless something else is more personal. */
function sentVersion({ reason, event }: InboxEntry): number | undefined {
	const patch = event.kind === 'mailArrived' ? patchSubject(event.subject) : undefined;
	const version = event.kind === 'patchsetReceived' ? event.version : patch?.isReply === false ? patch.version : 1;
	return version > 1 && reason !== 'mentioned' ? version : undefined;
}

/** Title of a thing. Versions of one series have the same subject. */
export function rowTitle({ thing, items }: ThingInInbox, connection: Connection): string {
	const title = thingTitle(thing);
	if (thing.kind !== 'patchset') {
		return title;
	}
	const version = items.map(({ entry }) => versionOf(entry)).find((each) => each !== undefined);
	const number = version ?? connection.lists.knownPatchset(thing.ref)?.version ?? 1;
	return number > 1 ? `v${number} ${title}` : title;
}

function versionOf({ event }: InboxEntry): number | undefined {
	const subject = event.kind === 'mailArrived' ? event.subject : '';
	return event.kind === 'patchsetReceived' ? event.version : patchSubject(subject)?.version;
}

/** Name and codicon of a group. */
export function groupLook(group: InboxGroup) {
	switch (group) {
		case 'needsAnswer':
			return { text: vscode.l10n.t('Waiting for you'), codicon: 'comment-unresolved' };
		case 'forInformation':
			return { text: vscode.l10n.t('For your information'), codicon: 'info' };
		case 'snoozed':
			return { text: vscode.l10n.t('Snoozed'), codicon: 'clock' };
		case 'done':
			return { text: vscode.l10n.t('Done'), codicon: 'check' };
	}
}
