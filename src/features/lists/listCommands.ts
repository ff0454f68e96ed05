import {
	patchsetSubject,
	type ListSubject,
	listSubject,
	mailSubject,
	type PatchsetSubject,
} from './subjects/subjects.ts';
import { copyText } from '../../editor/ask/copyText.ts';
import { bareId } from './subjects/words.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import { archiveCommands } from './archive/searchArchive.ts';
import { listFilterCommands } from './listFilterCommands.ts';
import { subjectOrInFront } from './subjects/givenSubject.ts';
import { mailTarget, mailTargets, patchsetTarget, patchsetTargets, listTarget } from './subjects/listTargets.ts';
import { listKind } from './subjects/listKind.ts';
import {
	askAccount,
	ownTarget,
	deleteOwned,
	askByName,
	askTied,
	offerFollowing,
	followOwned,
	unfollowOwned,
} from '../../editor/owned/askOwned.ts';
import { createOwned, tellCreated, type Unmade } from '../../editor/owned/newOwned.ts';
import type { ListsContext } from './context/listsContext.ts';
import { askStatus, setStatus, statusGiven } from './status/setStatus.ts';
import { snoozePatchsets } from './status/snoozePatchsets.ts';
import { suggestStatus } from './status/suggestStatus.ts';
import type { OpenMail } from './mail/mailDocuments.ts';
import * as vscode from 'vscode';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import type { Connections, Connection } from '../../store/connection.ts';
import { type Choice, cancelled, choose } from '../../editor/ask/ask.ts';
import { asTyped, chooseOrType } from '../../editor/ask/chooseOrType.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { rootOf } from './subjects/mailPlaces.ts';
import { versionLinkText } from './subjects/versionLinkText.ts';
import { askPatchset, patchsetChoice } from './subjects/listQuestions.ts';

/** Commands on lists, mails and patchsets, except those that open pages. From the palette each asks for its subject. */
export function listCommands(context: ListsContext, open: OpenMail, openThread: OpenMail): CommandTable {
	const { connections, statuses, editDescription } = context;
	const unmade: Unmade = new Map();
	const snoozing = snoozePatchsets(connections, context.clock);
	return {
		...listFilterCommands(context),
		...archiveCommands(context, openThread),
		'forge.lists.follow': (subject, signal) => followOwned(listKind, connections, subject, signal),
		'forge.lists.unfollow': async (subject) => {
			await unfollowOwned(listKind, connections, subject);
		},
		'forge.lists.subscribe': (subject, signal) => subscribe(context, subject, signal),
		'forge.lists.unsubscribe': (subject, signal) => unsubscribe(context, subject, signal),
		'forge.lists.create': async (_, signal) => {
			const connection = await askAccount(listKind, connections);
			tellCreated(await createOwned(listKind, unmade, connection, signal));
		},
		'forge.lists.editDescription': async (subject, signal) =>
			editDescription(await ownTarget(listKind, connections, subject, signal)),
		'forge.lists.delete': async (subject, signal) =>
			deleteList(connections, await ownTarget(listKind, connections, subject, signal), signal),
		'forge.patchsets.setStatus': async (subject, signal, selected) => {
			const subjects = await patchsetTargets(context, subject, selected, signal);
			const status = statusGiven(subject);
			return status === undefined
				? askStatus(statuses, subjects, signal)
				: setStatus(statuses, subjects, status, signal);
		},
		'forge.patchsets.snooze': async (subject, signal, selected) =>
			snoozing.snooze(await patchsetTargets(context, subject, selected, signal), signal),
		'forge.patchsets.unsnooze': async (subject, signal, selected) =>
			snoozing.unsnooze(await patchsetTargets(context, subject, selected, signal)),
		'forge.patchsets.undo': async (subject, signal) => {
			if (await snoozing.undo()) {
				return;
			}
			const inFront = patchsetSubject(subjectOrInFront(context.pages, subject));
			await statuses.undo({ kind: 'newest', inFront: inFront ? [inFront] : [] }, signal);
		},
		'forge.patchsets.suggestStatus': async (subject, signal) =>
			suggestStatus(statuses, await patchsetTarget(context, subject, signal), signal),
		'forge.patchsets.linkVersion': async (subject, signal) =>
			linkVersion(connections, await patchsetTarget(context, subject, signal), signal),
		'forge.patchsets.unlinkVersion': async (subject, signal) =>
			unlinkVersion(connections, await patchsetTarget(context, subject, signal), signal),
		'forge.lists.lookUpKeys': () => context.signatures.allowDns(),
		'forge.lists.openMail': async (subject, signal) => open(await mailTarget(context, subject, signal), signal),
		'forge.lists.copyMessageId': async (subject, signal, selected) => {
			const mails = await mailTargets(context, subject, selected, signal);
			const ids = mails.map(async (mail) => {
				const { lists } = connectionOf(connections, mail);
				return mail.messageId ?? (await lists.mails.mail(mail.id, signal)).messageId;
			});
			await copyText((await Promise.all(ids)).map(bareId).join('\n'));
		},
	};
}

/** Deletes a list if the server can. If it can't, says so, before any question if possible. */
async function deleteList(connections: Connections, list: ListSubject, signal: AbortSignal): Promise<void> {
	const connection = connectionOf(connections, list);
	const isGone = connection.lists.writes.remove && (await deleteOwned(listKind, connection, list.ref, signal));
	if (isGone === true) {
		return;
	}
	const onWeb = vscode.l10n.t('Open on the Web');
	const text = vscode.l10n.t('On this forge, lists can only be deleted on the web.');
	// Not awaited: the notice may stay open for hours.
	void notify('information', text, onWeb).then((chosen) =>
		chosen === onWeb ? vscode.commands.executeCommand('forge.openOnWeb', list) : undefined,
	);
}

/** **Follow…** also leads here, so the user can name any list. */
async function subscribe(context: ListsContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = listSubject(subject);
	const connection = given ? connectionOf(context.connections, given) : await askAccount(listKind, context.connections);
	const ref = given?.ref ?? (await askListToSubscribe(connection, signal));
	const { lists } = connection;
	await withProgress(vscode.l10n.t('Subscribing to {0}…', nameOf(ref)), signal, (working) =>
		lists.subscribe(ref, working),
	);
	tellBriefly(vscode.l10n.t('Subscribed to {0}', nameOf(ref)));
}

async function askListToSubscribe(connection: Connection, signal: AbortSignal): Promise<ListRef> {
	const { lists } = connection;
	const [own] = await Promise.all([lists.own.first(signal), lists.subscriptions.first(signal)]);
	const refs = [
		...own.items.map(({ owner, name }) => ({ owner: owner.canonicalName, name })),
		...lists.followed.all(),
	].filter((ref) => !lists.collection.subscription(ref));
	const other: Choice<ListRef | undefined> = {
		label: vscode.l10n.t('Enter the Name of a List…'),
		alwaysShow: true,
		value: undefined,
	};
	const known: readonly Choice<ListRef | undefined>[] = refs.map((ref) => ({
		label: visibleLine(refText(ref)),
		value: ref,
	}));
	const title = vscode.l10n.t('Subscribe to a list');
	const { value, typed } =
		known.length === 0
			? { value: undefined, typed: '' }
			: await chooseOrType(
					{
						title,
						choices: [...known, other],
						exact: (text) =>
							listKind.pasted(text, connection.instance) ? asTyped(known, text, { value: undefined }) : undefined,
					},
					signal,
				);
	return value ?? (await askByName(listKind, title, typed, connection, signal));
}

async function unsubscribe(context: ListsContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const none = vscode.l10n.t('You are not subscribed to a list.');
	const question = {
		isWanted: ({ lists }: Connection, ref: ListRef) => lists.collection.subscription(ref) !== undefined,
		// Asks even for a single list, since unsubscribing removes something.
		isOnlyTaken: false,
		none: () => offerFollowing(listKind, none),
	};
	const list = listSubject(subject) ?? (await askTied(listKind, context.connections, question, signal));
	const { lists } = connectionOf(context.connections, list);
	await withProgress(vscode.l10n.t('Unsubscribing from {0}…', nameOf(list.ref)), signal, (working) =>
		lists.unsubscribe(list.ref, working),
	);
	tellBriefly(vscode.l10n.t('Unsubscribed from {0}', nameOf(list.ref)));
}

function nameOf(ref: ListRef): string {
	return visibleLine(refText(ref));
}

/** Commands for read marks. */
export function markCommands(context: ListsContext): CommandTable {
	const { marks } = context.finder;
	return {
		'forge.lists.markRead': (subject, signal, selected) => change(context, true, subject, selected, signal),
		'forge.lists.markUnread': (subject, signal, selected) => change(context, false, subject, selected, signal),
		'forge.lists.markAllRead': async (subject, signal) => {
			const list = await listTarget(context, subject, signal);
			const connection = connectionOf(context.connections, list);
			// Load first: only loaded items get marks, and the notice says "all".
			await withProgress(vscode.l10n.t('Loading the list…'), signal, (working) =>
				Promise.all([
					connection.lists.posts(list.ref).first(working),
					connection.lists.patchsets(list.ref).first(working),
				]),
			);
			marks.markAllRead(connection, list.ref);
			const name = visibleLine(refText(list.ref));
			tellBriefly(vscode.l10n.t('Marked all patchsets and threads of {0} as read', name));
		},
	};
}

/** The selected rows, else the document or page in front; asks for a patchset otherwise. */
async function change(
	context: ListsContext,
	isRead: boolean,
	subject: unknown,
	selected: readonly unknown[],
	signal: AbortSignal,
): Promise<void> {
	const { marks } = context.finder;
	const front = subjectOrInFront(context.pages, subject);
	const all = selected.length > 0 ? selected : [front];
	const mails = all.flatMap((each) => mailSubject(each) ?? []);
	const patchsets =
		mails.length > 0
			? all.flatMap((each) => patchsetSubject(each) ?? [])
			: await patchsetTargets(context, subject, selected, signal);
	for (const patchset of patchsets) {
		const { ref } = patchset;
		const connection = connectionOf(context.connections, patchset);
		await connection.lists.patchset(ref, signal);
		if (isRead) {
			marks.lookAtPatchset(connection, ref);
		} else {
			marks.markPatchsetUnread(connection, ref);
		}
	}
	for (const mail of mails) {
		const connection = connectionOf(context.connections, mail);
		const ref = { list: mail.list, id: await rootOf(connection, mail, signal) };
		if (isRead) {
			marks.lookAtThread(connection, ref, undefined);
		} else {
			marks.markThreadUnread(connection, ref);
		}
	}
}

/** Asks for another version of the patchset in the list, and links both. */
async function linkVersion(connections: Connections, subject: PatchsetSubject, signal: AbortSignal) {
	const connection = connectionOf(connections, subject);
	const { ref } = subject;
	const patchset = await connection.lists.patchset(ref, signal);
	const linked = new Set((connection.reviews.known(ref)?.versions ?? []).map((version) => version.patchset.id));
	const other = await askPatchset(connection, ref.list, signal, {
		title: vscode.l10n.t('Which patchset is a version of "{0}"?', visibleLine(patchset.subject)),
		isOffered: ({ id }) => id !== ref.id && !linked.has(id),
		isLikely: (one) => one.submitter !== undefined && one.submitter === patchset.submitter,
	});
	await connection.reviews.linkVersions(ref, other.ref);
	tellBriefly(vscode.l10n.t('Linked'));
}

/** Asks for a wrong version, and unlinks it. */
async function unlinkVersion(connections: Connections, subject: PatchsetSubject, signal: AbortSignal) {
	const connection = connectionOf(connections, subject);
	const { ref } = subject;
	const { patchset, versions } = await withProgress(vscode.l10n.t('Searching for versions…'), signal, (working) =>
		connection.reviews.read(ref, working),
	);
	const others = versions.filter((version) => version.patchset.id !== ref.id);
	const title = visibleLine(patchset.subject);
	if (others.length === 0) {
		void notify('information', vscode.l10n.t('No other version of "{0}" is known.', title));
		throw cancelled();
	}
	const id = await choose(
		vscode.l10n.t('Which patchset is not a version of "{0}"?', title),
		others.map((other) => ({ ...patchsetChoice(other.patchset), detail: versionLinkText(other) })),
	);
	await connection.reviews.unlinkVersions(ref, { list: ref.list, id });
	tellBriefly(vscode.l10n.t('Unlinked'));
}
