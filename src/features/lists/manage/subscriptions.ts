import * as vscode from 'vscode';
import type { Choice } from '../../../editor/ask/ask.ts';
import { asTyped, chooseOrType } from '../../../editor/ask/chooseOrType.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import {
	askByName,
	askAccount,
	askTied,
	offerFollowing,
	followOwned,
	unfollowOwned,
} from '../../../editor/owned/askOwned.ts';
import { listKind } from '../subjects/listKind.ts';
import type { ListsDesk } from '../parts/listsDesk.ts';
import { listSubject, type ListSubject } from '../subjects/subjects.ts';

type SubscriptionParts = ListsDesk;

/** Commands to follow lists here and to subscribe on the forge. */
export function subscriptionCommands(parts: SubscriptionParts): CommandTable {
	return {
		'forge.lists.follow': (_, signal) => followOwned(listKind, parts.connections, signal),
		'forge.lists.unfollow': async (subject) => {
			await unfollowOwned(listKind, parts.connections, subject);
		},
		'forge.lists.subscribe': (subject, signal) => subscribe(parts, subject, signal),
		'forge.lists.unsubscribe': (subject, signal) => unsubscribe(parts, subject, signal),
	};
}

/** **Follow…** also leads here, so the user can name any list. */
async function subscribe(parts: SubscriptionParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = listSubject(subject);
	const connection = given ? connectionOf(parts.connections, given) : await askAccount(listKind, parts.connections);
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
	].filter((ref) => !lists.shelf.subscription(ref));
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
							listKind.pasted(text, connection.instance.areas[listKind.area])
								? asTyped(known, text, { value: undefined })
								: undefined,
					},
					signal,
				);
	return value ?? (await askByName(listKind, title, typed, connection, signal));
}

async function unsubscribe(parts: SubscriptionParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const list = listSubject(subject) ?? (await askSubscribed(parts.connections, signal));
	const { lists } = connectionOf(parts.connections, list);
	await withProgress(vscode.l10n.t('Unsubscribing from {0}…', nameOf(list.ref)), signal, (working) =>
		lists.unsubscribe(list.ref, working),
	);
	tellBriefly(vscode.l10n.t('Unsubscribed from {0}', nameOf(list.ref)));
}

/** Asks even for a single list, since unsubscribing removes something. */
function askSubscribed(connections: Connections, signal: AbortSignal): Promise<ListSubject> {
	const none = vscode.l10n.t('You are not subscribed to a list.');
	const question = {
		isWanted: ({ lists }: Connection, ref: ListRef) => lists.shelf.subscription(ref) !== undefined,
		isOnlyTaken: false,
		none: () => offerFollowing(listKind, none),
	};
	return askTied(listKind, connections, question, signal);
}

function nameOf(ref: ListRef): string {
	return visibleLine(refText(ref));
}
