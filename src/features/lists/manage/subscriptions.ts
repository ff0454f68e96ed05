import * as vscode from 'vscode';
import { offer } from '../../../editor/ask/askConnection.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { listRefText, type ListRef } from '../../../forge/list.ts';
import type { Connection } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import { askList, askListConnection, askListName } from '../subjects/listQuestions.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { listSubject, type ListSubject } from '../subjects/subjects.ts';

type SubscriptionParts = Pick<ListsParts, 'connections' | 'problems'>;

/** What ties an account to lists: following them here, and subscribing to them on the forge. */
export function subscriptionCommands(parts: SubscriptionParts): CommandTable {
	return {
		'forge.lists.follow': (_, signal) => follow(parts, signal),
		'forge.lists.unfollow': async (subject, signal) => {
			const list = listSubject(subject) ?? (await askFollowed(parts, signal));
			await connectionOf(parts.connections, list).lists.unfollow(list.ref);
		},
		'forge.lists.subscribe': (subject, signal) => subscribe(parts, subject, signal),
		'forge.lists.unsubscribe': (subject, signal) => unsubscribe(parts, subject, signal),
	};
}

async function follow(parts: SubscriptionParts, signal: AbortSignal): Promise<void> {
	const connection = await askListConnection(parts.connections);
	const ref = await askListName(connection, vscode.l10n.t('Follow a list'));
	const list = await withProgress(vscode.l10n.t('Searching for {0}…', nameOf(ref)), signal, (working) =>
		connection.lists.follow(ref, working),
	);
	if (list.owner.canonicalName === connection.me) {
		await offer(vscode.l10n.t('{0} is your own list and already in the view.', nameOf(ref)), {
			label: vscode.l10n.t('Show'),
			command: 'forge.lists.focus',
		});
	}
}

/** Asks among what is followed, subscribed or not. */
async function askFollowed(parts: SubscriptionParts, signal: AbortSignal): Promise<ListSubject> {
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
async function subscribe(parts: SubscriptionParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = listSubject(subject);
	const connection = given ? connectionOf(parts.connections, given) : await askListConnection(parts.connections);
	const ref = given?.ref ?? (await askListToSubscribe(connection, signal));
	const { lists } = connection;
	try {
		await withProgress(vscode.l10n.t('Subscribing to {0}…', nameOf(ref)), signal, (working) =>
			lists.subscribe(ref, working),
		);
	} catch (error) {
		// The forge may know of a subscription that we do not (docs/protocol.md#subscriptions), or have taken this one in.
		const renewed = lists.renewSubscriptions(signal).catch((again: unknown) => parts.problems.log(again));
		if (!isForgeError(error) || error.problem.kind !== 'invalid') {
			throw error;
		}
		await renewed;
		if (lists.knownSubscription(ref) === undefined) {
			throw error;
		}
		tellBriefly(vscode.l10n.t('You are already subscribed to {0}.', nameOf(ref)));
		return;
	}
	tellBriefly(vscode.l10n.t('Subscribed to {0}', nameOf(ref)));
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

async function unsubscribe(parts: SubscriptionParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const list = listSubject(subject) ?? (await askList(parts.connections, ['subscribed'], signal));
	const { lists } = connectionOf(parts.connections, list);
	await withProgress(vscode.l10n.t('Unsubscribing from {0}…', nameOf(list.ref)), signal, (working) =>
		lists.unsubscribe(list.ref, working),
	);
	tellBriefly(vscode.l10n.t('Unsubscribed from {0}', nameOf(list.ref)));
}

function nameOf(ref: ListRef): string {
	return visibleLine(listRefText(ref));
}
