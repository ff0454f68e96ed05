import * as vscode from 'vscode';
import { firstMailOfFormed, isNumbered } from 'patchmail/series/listedPatchset.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { InboxEvent, InboxReason, InboxThing } from '../../store/inbox/inboxEntry.ts';
import { placeOfWatched, type Watched } from '../../store/inbox/watched.ts';
import { visibleLine } from '../../engine/text/visible.ts';

/** A thing's title as visible text on one line. */
export function thingTitle(thing: InboxThing): string {
	switch (thing.kind) {
		case 'ticket':
			return orElse(thing.title, vscode.l10n.t('Ticket without title'));
		case 'thread':
			return orElse(thing.subject, vscode.l10n.t('Message without subject'));
		case 'patchset':
			return orElse(thing.subject, vscode.l10n.t('Patchset without subject'));
		case 'repository':
			return orElse(thing.ref.name, refText(thing.ref));
	}
}

function orElse(title: string, otherwise: string): string {
	const line = visibleLine(title);
	return line === '' ? otherwise : line;
}

/** Where something belongs, as people write it: `~alice/lantern#7`, or the list or repository. */
export function thingReference(thing: InboxThing): string {
	return watchedTitle(thing.kind === 'ticket' ? thing : placeOfWatched(thing));
}

/** Readable name of a watched thing. */
export function watchedTitle(watched: Watched): string {
	switch (watched.kind) {
		case 'tracker':
		case 'list':
		case 'repository':
			return visibleLine(refText(watched.ref));
		case 'ticket':
			return visibleLine(ticketRefText(watched.ref));
		case 'thread':
			return vscode.l10n.t('Thread {0} of {1}', watched.id, visibleLine(refText(watched.list)));
		case 'file':
			return vscode.l10n.t('{0} in patches of {1}', visibleLine(watched.path), visibleLine(refText(watched.list)));
		case 'patchset': {
			const list = visibleLine(refText(watched.ref.list));
			const mail = firstMailOfFormed(watched.ref.id);
			if (mail !== undefined) {
				return vscode.l10n.t('Message {0} of {1}', mail, list);
			}
			return isNumbered(watched.ref.id)
				? vscode.l10n.t('Patchset {0} of {1}', watched.ref.id, list)
				: vscode.l10n.t('Patchset of {0}', list);
		}
	}
}

/** A reason in a word or two. */
export function reasonText(reason: InboxReason): string {
	const texts: Readonly<Record<InboxReason, string>> = {
		mentioned: vscode.l10n.t('mentions you'),
		assigned: vscode.l10n.t('assigned to you'),
		reviewAsked: vscode.l10n.t('review requested'),
		answered: vscode.l10n.t('your message'),
		newVersion: vscode.l10n.t('you reviewed'),
		mine: vscode.l10n.t('you submitted this'),
		participating: vscode.l10n.t('participating'),
		watchedFile: vscode.l10n.t('watched file'),
		followed: vscode.l10n.t('followed'),
	};
	return texts[reason];
}

/** Codicons of events. */
const eventIcons: Readonly<Record<InboxEvent['kind'], string>> = {
	ticketCreated: 'issues',
	commented: 'comment',
	statusChanged: 'issue-reopened',
	labelled: 'tag',
	unlabelled: 'tag',
	assigned: 'person-add',
	unassigned: 'person',
	namedByTicket: 'link',
	mailArrived: 'mail',
	patchsetReceived: 'git-pull-request',
	patchsetMarked: 'checklist',
	pushed: 'repo-push',
};

export function eventIcon(event: InboxEvent): string {
	return event.kind === 'statusChanged' && event.moved.status === 'resolved' ? 'pass' : eventIcons[event.kind];
}
