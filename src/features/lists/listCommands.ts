import * as vscode from 'vscode';
import { offer } from '../../editor/askConnection.ts';
import { choose, type Choice } from '../../editor/ask.ts';
import type { CommandTable } from '../../editor/feature.ts';
import type { LinkSource } from '../../editor/linkCommands.ts';
import { withProgress } from '../../editor/progress.ts';
import { connectionOf } from '../../editor/subjects.ts';
import { listRefText, type ListRef } from '../../forge/list.ts';
import type { Connection } from '../../state/connection.ts';
import {
	askList,
	askListConnection,
	askListName,
	askMailOfList,
	askMailOfPatchset,
	askPatchset,
} from './listQuestions.ts';
import type { ListsParts } from './listsParts.ts';
import { setStatus } from './setStatus.ts';
import {
	listSubject,
	mailSubject,
	patchsetSubject,
	type ListSubject,
	type MailSubject,
	type PatchsetSubject,
} from './subjects.ts';
import { listWebLink, patchsetWebLink, webLink } from './webLink.ts';
import { tellBriefly } from '../../editor/notify.ts';
import { visibleLine } from '../../text/visible.ts';

/** Shows a mail as a document. */
export type OpenMail = (subject: MailSubject, signal: AbortSignal) => Promise<void>;

/** The commands on lists, mails and patchsets. From the palette each of them asks for what it needs. */
export function listCommands(parts: ListsParts, open: OpenMail): CommandTable {
	return {
		'forge.lists.follow': (_, signal) => follow(parts, signal),
		'forge.lists.unfollow': async (subject, signal) => {
			const list = listSubject(subject) ?? (await askFollowed(parts, signal));
			await connectionOf(parts.connections, list).lists.unfollow(list.ref);
		},
		'forge.lists.subscribe': (subject, signal) => subscribe(parts, subject, signal),
		'forge.lists.unsubscribe': (subject, signal) => unsubscribe(parts, subject, signal),
		'forge.lists.openMail': async (subject, signal) => open(await mailOf(parts, subject, signal), signal),
		'forge.patchsets.open': async (subject, signal) => {
			const patchset = await patchsetOf(parts, subject, signal);
			await open(await askMailOfPatchset(connectionOf(parts.connections, patchset), patchset, signal), signal);
		},
		'forge.patchsets.setStatus': async (subject, signal) =>
			setStatus(parts, await patchsetOf(parts, subject, signal), signal),
	};
}

/** The addresses of lists, patchsets and mails, for the commands that copy and open them. */
export function listLinks(parts: ListsParts): LinkSource {
	return {
		name: vscode.l10n.t('A list, patchset or mail'),
		webLink: (subject) => webLink(parts.connections, subject),
		askForLink: (signal) => askForLink(parts, signal),
	};
}

async function askForLink(parts: ListsParts, signal: AbortSignal): Promise<string> {
	const list = await listOf(parts, undefined, signal);
	const connection = connectionOf(parts.connections, list);
	const kind = await choose<'list' | 'patchset' | 'mail'>(vscode.l10n.t('What do you want the address of?'), [
		{ label: vscode.l10n.t('The list itself'), value: 'list' },
		{ label: vscode.l10n.t('A patchset…'), value: 'patchset' },
		{ label: vscode.l10n.t('A mail…'), value: 'mail' },
	]);
	switch (kind) {
		case 'list':
			return listWebLink(connection.instance, list.ref);
		case 'patchset':
			return patchsetWebLink(connection.instance, (await askPatchset(connection, list.ref, signal)).ref);
		case 'mail':
			return webLink(parts.connections, await askMailOfList(connection, list.ref, signal)) ?? '';
	}
}

/** The list that a command is about; asks among all of them when it was not handed one. */
async function listOf(parts: ListsParts, subject: unknown, signal: AbortSignal): Promise<ListSubject> {
	return listSubject(subject) ?? (await askList(parts.connections, ['own', 'subscribed', 'followed'], signal));
}

async function patchsetOf(parts: ListsParts, subject: unknown, signal: AbortSignal): Promise<PatchsetSubject> {
	const given = patchsetSubject(subject);
	if (given) {
		return given;
	}
	const list = await listOf(parts, subject, signal);
	return askPatchset(connectionOf(parts.connections, list), list.ref, signal);
}

async function mailOf(parts: ListsParts, subject: unknown, signal: AbortSignal): Promise<MailSubject> {
	const given = mailSubject(subject);
	if (given) {
		return given;
	}
	const list = await listOf(parts, subject, signal);
	return askMailOfList(connectionOf(parts.connections, list), list.ref, signal);
}

async function follow(parts: ListsParts, signal: AbortSignal): Promise<void> {
	const connection = await askListConnection(parts.connections);
	const ref = await askListName(connection, vscode.l10n.t('Follow a list'));
	const list = await withProgress(vscode.l10n.t('Looking for {0}…', listRefText(ref)), signal, (working) =>
		connection.lists.follow(ref, working),
	);
	if (list.owner.canonicalName === connection.me) {
		await offer(vscode.l10n.t('{0} is your own list and already in the view.', listRefText(ref)), {
			label: vscode.l10n.t('Show'),
			command: 'forge.lists.focus',
		});
	}
}

/** Asks among what is followed, subscribed or not. */
async function askFollowed(parts: ListsParts, signal: AbortSignal): Promise<ListSubject> {
	const choices: readonly Choice<ListSubject>[] = parts.connections.all().flatMap((connection) =>
		connection.lists.followedLists().map((ref) => ({
			label: visibleLine(listRefText(ref)),
			description: connection.instance.name,
			value: { kind: 'list', connectionKey: connection.key, ref },
		})),
	);
	return choices.length === 0
		? askList(parts.connections, ['followed'], signal)
		: choose(vscode.l10n.t('Choose a list'), choices);
}

/** From the palette any list can be named: subscribing is how lists come into the view. */
async function subscribe(parts: ListsParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = listSubject(subject);
	const connection = given ? connectionOf(parts.connections, given) : await askListConnection(parts.connections);
	const ref = given?.ref ?? (await askListToSubscribe(connection, signal));
	const { lists } = connection;
	try {
		await withProgress(vscode.l10n.t('Subscribing to {0}…', listRefText(ref)), signal, (working) =>
			lists.subscribe(ref, working),
		);
	} catch (error) {
		// The forge may know of a subscription that we do not (observed-behaviour 5.5).
		lists.renewSubscriptions(signal).catch((again: unknown) => parts.problems.log(again));
		throw error;
	}
	say(vscode.l10n.t('Subscribed to {0}', listRefText(ref)));
}

async function askListToSubscribe(connection: Connection, signal: AbortSignal): Promise<ListRef> {
	const { lists } = connection;
	const [own] = await Promise.all([lists.ownLists(signal), lists.subscriptions(signal)]);
	const refs = [
		...own.items.map(({ owner, name }) => ({ owner: owner.canonicalName, name })),
		...lists.followedLists(),
	].filter((ref) => !lists.knownSubscription(ref));
	const other: Choice<ListRef | undefined> = {
		label: vscode.l10n.t('Enter the name of a list…'),
		alwaysShow: true,
		value: undefined,
	};
	const known: readonly Choice<ListRef | undefined>[] = refs.map((ref) => ({
		label: visibleLine(listRefText(ref)),
		value: ref,
	}));
	const title = vscode.l10n.t('Subscribe to a list');
	const chosen = known.length === 0 ? undefined : await choose(title, [...known, other]);
	return chosen ?? (await askListName(connection, title));
}

async function unsubscribe(parts: ListsParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const list = listSubject(subject) ?? (await askList(parts.connections, ['subscribed'], signal));
	const { lists } = connectionOf(parts.connections, list);
	await withProgress(vscode.l10n.t('Unsubscribing from {0}…', listRefText(list.ref)), signal, (working) =>
		lists.unsubscribe(list.ref, working),
	);
	say(vscode.l10n.t('Unsubscribed from {0}', listRefText(list.ref)));
}

function say(message: string): void {
	tellBriefly(visibleLine(message));
}
