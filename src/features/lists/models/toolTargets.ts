import { signedInOr, textField, ToolInputError } from '../../../editor/models/toolInput.ts';
import type { Destination } from '../../../forge/port/destination.ts';
import { firstMailOfFormed, type ListRef, type PatchsetRef } from '../../../forge/port/list.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { webDestination } from '../../../forge/port/webDestination.ts';
import type { Connection, Connections } from '../../../store/connection.ts';

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

/** Name of a patchset for `patchsetField`. Servers know a formed patchset only by its first mail. */
export function patchsetAddress({ list, id }: PatchsetRef, messageId: string | undefined): string {
	return firstMailOfFormed(id) === undefined ? `${refText(list)}/patches/${id}` : `${refText(list)}/${messageId ?? ''}`;
}

/** The patchset in the field "patchset": `~owner/list/patches/12`, its address, or a known mail of a formed patchset. */
export function patchsetField(input: unknown, connections: Connections): Target<PatchsetRef> {
	const text = textField(input, 'patchset') ?? '';
	const found = target(text, connections, (destination) =>
		destination.kind === 'patchset' ? destination.ref : undefined,
	);
	if (found) {
		return { ...found, connection: readerOf(found.what.list, found) };
	}
	const mail = target(text, connections, namedMail);
	const connection = mail && readerOf(mail.what.list, mail);
	const id = mail && connection?.lists.knownMailNamed(mail.what.messageId, mail.what.list)?.mail.patchsetId;
	if (!connection || id === undefined) {
		throw new ToolInputError(
			'Name the patchset as ~owner/list/patches/12 or by its address on a forge that is signed in to.',
		);
	}
	return { connection, what: { list: mail.what.list, id } };
}

/** The mail of a conversation that the field "thread" names: `~owner/list/<Message-ID>` or its address. */
export function mailField(input: unknown, connections: Connections): Target<NamedMail> {
	const found = target(textField(input, 'thread') ?? '', connections, namedMail);
	if (!found) {
		throw new ToolInputError(
			'Name a mail of the thread as ~owner/list/<Message-ID> or by its address on a forge that is signed in to.',
		);
	}
	return { ...found, connection: readerOf(found.what.list, found) };
}

function namedMail(destination: Destination): NamedMail | undefined {
	return destination.kind === 'mail' && destination.list
		? { list: destination.list, messageId: destination.messageId }
		: undefined;
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
