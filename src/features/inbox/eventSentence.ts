import * as vscode from 'vscode';
import { patchSubject, subjectOfThread } from 'patchmail/series/patchSubject.ts';
import type { InboxEntry, InboxEvent, MovedTicket, ReferenceChange } from '../../store/inbox/inboxEntry.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { shortLine } from '../../engine/text/visible.ts';
import type { InboxWords } from './inboxContext.ts';
import { shortName } from '../../store/repositories/repositoryReferences.ts';

/** Longer parts would push the rest out of the row. */
const longestName = 60;
const longestText = 120;

/** One plain sentence about the event for the account `me`. Text from the forge becomes visible text on one line. */
export function eventSentence(entry: InboxEntry, words: InboxWords, me: OwnerName): string {
	const by = entry.by === undefined ? undefined : nameText(entry.by);
	const { event } = entry;
	switch (event.kind) {
		case 'ticketCreated':
			return by === undefined ? vscode.l10n.t('New ticket') : vscode.l10n.t('{0} submitted this ticket', by);
		case 'commented':
			return commentSentence(event, by, words);
		case 'statusChanged':
			return movedSentence(event.moved, by, words);
		case 'labelled':
		case 'unlabelled':
			return labelSentence(event, by);
		case 'assigned':
		case 'unassigned':
			return assignmentSentence(event, by, entry.by === event.to, event.to === me);
		case 'namedByTicket':
			if (event.from === undefined) {
				return by === undefined
					? vscode.l10n.t('This ticket was mentioned')
					: vscode.l10n.t('{0} mentioned this ticket', by);
			}
			return by === undefined
				? vscode.l10n.t('This ticket was mentioned in {0}', nameText(event.from))
				: vscode.l10n.t('{0} mentioned this ticket in {1}', by, nameText(event.from));
		case 'mailArrived':
			return mailSentence(entry, event, by);
		case 'patchsetReceived':
			return versionSentence(event.version, by, event.path);
		case 'patchsetMarked':
			return setSentence(words.patchsetStatus(event.status), by);
		case 'pushed':
			return pushSentence(event.changes, by);
	}
}

/** A person's name as sentences have it. */
function nameText(name: string): string {
	return shortLine(name, longestName);
}

type EventOf<Kind extends InboxEvent['kind']> = Extract<InboxEvent, { readonly kind: Kind }>;

function commentSentence({ excerpt, moved }: EventOf<'commented'>, by: string | undefined, words: InboxWords): string {
	const text = shortLine(excerpt, longestText);
	if (text === '') {
		if (moved) {
			return movedSentence(moved, by, words);
		}
		return by === undefined ? vscode.l10n.t('New comment') : vscode.l10n.t('{0} commented', by);
	}
	if (!moved) {
		return by === undefined ? vscode.l10n.t('New comment: {0}', text) : vscode.l10n.t('{0} commented: {1}', by, text);
	}
	const resolution = resolutionOf(moved, words);
	if (resolution !== undefined) {
		return by === undefined
			? vscode.l10n.t('Resolved as {0} with a comment: {1}', resolution, text)
			: vscode.l10n.t('{0} commented and resolved this as {1}: {2}', by, resolution, text);
	}
	const status = words.ticketStatus(moved.status);
	return by === undefined
		? vscode.l10n.t('Status set to {0} with a comment: {1}', status, text)
		: vscode.l10n.t('{0} commented and set the status to {1}: {2}', by, status, text);
}

function movedSentence(moved: MovedTicket, by: string | undefined, words: InboxWords): string {
	const resolution = resolutionOf(moved, words);
	if (resolution === undefined) {
		return setSentence(words.ticketStatus(moved.status), by);
	}
	return by === undefined
		? vscode.l10n.t('Resolved as {0}', resolution)
		: vscode.l10n.t('{0} resolved this as {1}', by, resolution);
}

/** `undefined` for open tickets and for the resolution `unresolved`. */
function resolutionOf({ status, resolution }: MovedTicket, words: InboxWords): string | undefined {
	return status === 'resolved' && resolution !== undefined && resolution !== 'unresolved'
		? words.resolution(resolution)
		: undefined;
}

function setSentence(status: string, by: string | undefined): string {
	return by === undefined
		? vscode.l10n.t('Status set to {0}', status)
		: vscode.l10n.t('{0} set the status to {1}', by, status);
}

function labelSentence({ kind, labels }: EventOf<'labelled' | 'unlabelled'>, by: string | undefined): string {
	const names = labels.map((label) => shortLine(label, longestName)).join(', ');
	if (names === '') {
		return by === undefined ? vscode.l10n.t('Labels changed') : vscode.l10n.t('{0} changed the labels', by);
	}
	if (kind === 'labelled') {
		if (by === undefined) {
			return labels.length === 1 ? vscode.l10n.t('Label added: {0}', names) : vscode.l10n.t('Labels added: {0}', names);
		}
		return labels.length === 1
			? vscode.l10n.t('{0} added the label {1}', by, names)
			: vscode.l10n.t('{0} added the labels {1}', by, names);
	}
	if (by === undefined) {
		return labels.length === 1
			? vscode.l10n.t('Label removed: {0}', names)
			: vscode.l10n.t('Labels removed: {0}', names);
	}
	return labels.length === 1
		? vscode.l10n.t('{0} removed the label {1}', by, names)
		: vscode.l10n.t('{0} removed the labels {1}', by, names);
}

/** `isSelf`: the assignee did it. */
function assignmentSentence(
	{ kind, to }: EventOf<'assigned' | 'unassigned'>,
	by: string | undefined,
	isSelf: boolean,
	isMe: boolean,
): string {
	const name = nameText(to);
	if (to === '') {
		return by === undefined ? vscode.l10n.t('Assignees changed') : vscode.l10n.t('{0} changed the assignees', by);
	}
	if (kind === 'assigned') {
		if (by === undefined) {
			return isMe ? vscode.l10n.t('You were assigned') : vscode.l10n.t('{0} was assigned', name);
		}
		if (isSelf) {
			return vscode.l10n.t('{0} assigned themselves', by);
		}
		return isMe ? vscode.l10n.t('{0} assigned you', by) : vscode.l10n.t('{0} assigned {1}', by, name);
	}
	if (by === undefined) {
		return isMe ? vscode.l10n.t('You were unassigned') : vscode.l10n.t('{0} was unassigned', name);
	}
	if (isSelf) {
		return vscode.l10n.t('{0} unassigned themselves', by);
	}
	return isMe ? vscode.l10n.t('{0} unassigned you', by) : vscode.l10n.t('{0} unassigned {1}', by, name);
}

/** A reply mostly repeats the subject that its thread or patchset has in the row above. */
function mailSentence(
	{ thing }: InboxEntry,
	{ mailId, subject }: EventOf<'mailArrived'>,
	by: string | undefined,
): string {
	if (thing.kind === 'thread' && thing.id === mailId) {
		return by === undefined ? vscode.l10n.t('New thread') : vscode.l10n.t('{0} started this thread', by);
	}
	const patch = patchSubject(subject);
	if (patch && !patch.isReply && patch.version > 1) {
		return versionSentence(patch.version, by);
	}
	const above = 'subject' in thing ? thing.subject : '';
	if (subjectOfThread(subject) === subjectOfThread(above) || /^\s*re:/i.test(subject)) {
		return by === undefined ? vscode.l10n.t('New reply') : vscode.l10n.t('{0} replied', by);
	}
	const text = shortLine(subject, longestText);
	return by === undefined
		? vscode.l10n.t('New message: {0}', text)
		: vscode.l10n.t('{0} sent a message: {1}', by, text);
}

/** `path`: of a watched file that it changes. */
function versionSentence(version: number, by: string | undefined, path?: string): string {
	const file = path === undefined ? undefined : shortLine(path, longestText);
	if (file !== undefined) {
		return by === undefined
			? vscode.l10n.t('Version {0} changes {1}', version, file)
			: vscode.l10n.t('{0} changes {1} in version {2}', by, file, version);
	}
	if (version <= 1) {
		return by === undefined ? vscode.l10n.t('New patchset') : vscode.l10n.t('{0} sent this patchset', by);
	}
	return by === undefined
		? vscode.l10n.t('New version {0}', version)
		: vscode.l10n.t('{0} sent version {1}', by, version);
}

type PushKind = 'created' | 'tagged' | 'deleted' | 'moved';

/** Describes the first reference of a push and counts the others. */
function pushSentence(changes: readonly ReferenceChange[], by: string | undefined): string {
	const [first, ...others] = changes;
	if (!first) {
		return by === undefined ? vscode.l10n.t('New push') : vscode.l10n.t('{0} pushed', by);
	}
	const kind = kindOf(first);
	const said = others.every((change) => kindOf(change) === kind) ? kind : 'moved';
	const name = shortLine(shortName(first), longestName);
	const more = others.length;
	const [alone, several] =
		by === undefined
			? {
					created: [vscode.l10n.t('Created {0}', name), vscode.l10n.t('Created {0} and {1} more', name, more)],
					tagged: [vscode.l10n.t('Tagged {0}', name), vscode.l10n.t('Tagged {0} and {1} more', name, more)],
					deleted: [vscode.l10n.t('Deleted {0}', name), vscode.l10n.t('Deleted {0} and {1} more', name, more)],
					moved: [vscode.l10n.t('Pushed to {0}', name), vscode.l10n.t('Pushed to {0} and {1} more', name, more)],
				}[said]
			: {
					created: [
						vscode.l10n.t('{0} created {1}', by, name),
						vscode.l10n.t('{0} created {1} and {2} more', by, name, more),
					],
					tagged: [
						vscode.l10n.t('{0} tagged {1}', by, name),
						vscode.l10n.t('{0} tagged {1} and {2} more', by, name, more),
					],
					deleted: [
						vscode.l10n.t('{0} deleted {1}', by, name),
						vscode.l10n.t('{0} deleted {1} and {2} more', by, name, more),
					],
					moved: [
						vscode.l10n.t('{0} pushed to {1}', by, name),
						vscode.l10n.t('{0} pushed to {1} and {2} more', by, name, more),
					],
				}[said];
	return (more === 0 ? alone : several) ?? '';
}

/** Without a commit before the reference is new, without one after it is gone. */
function kindOf({ old, now, isAnnotatedTag }: ReferenceChange): PushKind {
	if (now === undefined) {
		return 'deleted';
	}
	if (old !== undefined) {
		return 'moved';
	}
	return isAnnotatedTag ? 'tagged' : 'created';
}
