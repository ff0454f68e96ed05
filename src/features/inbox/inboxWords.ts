import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { firstMailOfFormed } from '../../forge/port/list.ts';
import { refText } from '../../forge/port/namedRef.ts';
import { ticketRefText } from '../../forge/port/ticket.ts';
import type { InboxEvent, InboxReason, InboxThing } from '../../store/inbox/inboxEntry.ts';
import type { Watched } from '../../store/inbox/watched.ts';
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
		default:
			return assertNever(thing);
	}
}

function orElse(title: string, otherwise: string): string {
	const line = visibleLine(title);
	return line === '' ? otherwise : line;
}

/** Where something belongs, as people write it: `~alice/lantern#7`, or the list or repository. */
export function thingReference(thing: InboxThing): string {
	switch (thing.kind) {
		case 'ticket':
			return visibleLine(ticketRefText(thing.ref));
		case 'thread':
			return visibleLine(refText(thing.list));
		case 'patchset':
			return visibleLine(refText(thing.ref.list));
		case 'repository':
			return visibleLine(refText(thing.ref));
		default:
			return assertNever(thing);
	}
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
		case 'patchset': {
			const list = visibleLine(refText(watched.ref.list));
			const mail = firstMailOfFormed(watched.ref.id);
			return mail === undefined
				? vscode.l10n.t('Patchset {0} of {1}', watched.ref.id, list)
				: vscode.l10n.t('Message {0} of {1}', mail, list);
		}
		default:
			return assertNever(watched);
	}
}

/** A reason in a word or two. */
export function reasonText(reason: InboxReason): string {
	switch (reason) {
		case 'mentioned':
			return vscode.l10n.t('mentions you');
		case 'assigned':
			return vscode.l10n.t('assigned to you');
		case 'reviewAsked':
			return vscode.l10n.t('review requested');
		case 'answered':
			return vscode.l10n.t('your message');
		case 'newVersion':
			return vscode.l10n.t('you reviewed');
		case 'mine':
			return vscode.l10n.t('you submitted this');
		case 'participating':
			return vscode.l10n.t('participating');
		case 'followed':
			return vscode.l10n.t('followed');
		default:
			return assertNever(reason);
	}
}

/** Codicon of an event. */
export function eventIcon(event: InboxEvent): string {
	switch (event.kind) {
		case 'ticketCreated':
			return 'issues';
		case 'commented':
			return 'comment';
		case 'statusChanged':
			return event.moved.status === 'resolved' ? 'pass' : 'issue-reopened';
		case 'labelled':
		case 'unlabelled':
			return 'tag';
		case 'assigned':
			return 'person-add';
		case 'unassigned':
			return 'person';
		case 'namedByTicket':
			return 'link';
		case 'mailArrived':
			return 'mail';
		case 'patchsetReceived':
			return 'git-pull-request';
		case 'patchsetMarked':
			return 'checklist';
		case 'pushed':
			return 'repo-push';
		default:
			return assertNever(event);
	}
}
