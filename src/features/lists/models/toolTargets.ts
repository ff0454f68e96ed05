import { signedInOr, textField, ToolInputError } from '../../../editor/models/toolInput.ts';
import type { Destination } from '../../../forge/destination.ts';
import type { ListRef, PatchsetRef } from '../../../forge/list.ts';
import { webDestination } from '../../../forge/webDestination.ts';
import type { Connection, Connections } from '../../../state/connection.ts';

/** Something that a tool was asked for, and the account that reads it. */
export interface Target<T> {
	readonly connection: Connection;
	readonly what: T;
}

/** A mail by its Message-ID, with angle brackets, and the list that it was sent to. */
export interface NamedMail {
	readonly list: ListRef;
	readonly messageId: string;
}

/** The patchset that the field "patchset" names: `~owner/list/patches/12` or its address. */
export function patchsetField(input: unknown, connections: Connections): Target<PatchsetRef> {
	const found = target(textField(input, 'patchset') ?? '', connections, (destination) =>
		destination.kind === 'patchset' ? destination.ref : undefined,
	);
	if (!found) {
		throw new ToolInputError(
			'Name the patchset as ~owner/list/patches/12 or by its address on a forge that is signed in to.',
		);
	}
	return { ...found, connection: readerOf(found.what.list, found) };
}

/** The mail of a conversation that the field "thread" names: `~owner/list/<Message-ID>` or its address. */
export function mailField(input: unknown, connections: Connections): Target<NamedMail> {
	const found = target(textField(input, 'thread') ?? '', connections, (destination) =>
		destination.kind === 'mail' && destination.list
			? { list: destination.list, messageId: destination.messageId }
			: undefined,
	);
	if (!found) {
		throw new ToolInputError(
			'Name a mail of the thread as ~owner/list/<Message-ID> or by its address on a forge that is signed in to.',
		);
	}
	return { ...found, connection: readerOf(found.what.list, found) };
}

interface Found<T> {
	/** Of the forge that is meant. */
	readonly accounts: readonly Connection[];
	readonly connection: Connection;
	readonly what: T;
}

/** A short name is an address of each forge with the beginning left out. */
function target<T>(
	text: string,
	connections: Connections,
	wanted: (destination: Destination) => T | undefined,
): Found<T> | undefined {
	const all = signedInOr(connections.all());
	const trimmed = text.trim();
	const isAddress = /^https?:/i.test(trimmed);
	for (const connection of all) {
		const { instance } = connection;
		const url = URL.parse(isAddress ? trimmed : `${instance.areas.lists}/${namedPath(trimmed)}`);
		const destination = url ? webDestination(url, instance) : undefined;
		const what = destination && wanted(destination);
		if (what !== undefined) {
			const accounts = isAddress ? all.filter(({ instance: { id } }) => id === instance.id) : all;
			return { accounts, connection, what };
		}
	}
	return undefined;
}

/** Message-IDs may hold what means something else in an address. */
function namedPath(text: string): string {
	return text.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** Which of several accounts reads a list: one that knows it, else its owner's, else the first. */
function readerOf(ref: ListRef, { accounts, connection }: Found<unknown>): Connection {
	const knows = ({ lists }: Connection): boolean =>
		lists.knownList(ref) !== undefined ||
		lists.knownSubscription(ref) !== undefined ||
		lists.followedLists().some(({ owner, name }) => owner === ref.owner && name === ref.name);
	return accounts.find(knows) ?? accounts.find(({ me }) => me === ref.owner) ?? connection;
}
