import type { ListRef } from '../../forge/port/list.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { Connection } from '../../store/connection.ts';
import { knownLists } from '../../store/lists/knownLists.ts';

/** Somebody who was met on a forge. */
export interface KnownPerson {
	/** `~bob`, or an e-mail address. */
	readonly name: OwnerName;
	/** The display name from the server, if it differs. */
	readonly called: string | undefined;
}

/** Limit of the list; the user can type other names. */
const most = 200;

/** Tickets per tracker to scan for people: enough for regulars, and fast. */
const ticketsForPeople = 200;

/**
 * The account itself, owners of loaded things, and everybody seen as submitter or sender, without duplicates. Only
 * loads the account's own lists and subscriptions, once; skips failures.
 */
export async function peopleMet(connection: Connection, signal: AbortSignal): Promise<readonly KnownPerson[]> {
	const { lists } = await knownLists(connection.lists, signal);
	const found = new Map<string, KnownPerson>();
	for (const person of peopleSeen(connection, lists)) {
		const key = person.name.toLowerCase();
		if (!found.has(key)) {
			found.set(key, person);
		}
		if (found.size === most) {
			break;
		}
	}
	return [...found.values()];
}

function* peopleSeen(connection: Connection, lists: readonly ListRef[]): Generator<KnownPerson> {
	const { me, index, tickets, repositories } = connection;
	yield account(me);
	const trackers = [...index.trackers(), ...tickets.followedTrackers()];
	for (const { owner } of [...lists, ...trackers, ...repositories.followed.all()]) {
		yield account(owner);
	}
	for (const list of lists) {
		yield* sendersOn(connection, list);
	}
	for (const tracker of trackers) {
		for (const { ticket } of index.tickets(tracker).slice(0, ticketsForPeople)) {
			yield* submitterOf(ticket);
		}
	}
}

function* sendersOn({ lists }: Connection, list: ListRef): Generator<KnownPerson> {
	for (const { sender } of lists.knownPosts(list)?.items ?? []) {
		if (sender) {
			yield account(sender.canonicalName);
		}
	}
	for (const { submitter } of lists.knownPatchsets(list)?.items ?? []) {
		yield* named(submitter ?? '');
	}
}

/** Somebody out of a From header, by their address. */
function* named(header: string): Generator<KnownPerson> {
	const [, called = '', address] = /^([^<>]{0,300})<([^<>\s]{1,300}@[^<>\s]{1,300})>$/.exec(header) ?? [];
	if (address !== undefined) {
		yield { name: address, called: called.replaceAll('"', '').trim() || undefined };
	}
}

type Ticket = ReturnType<Connection['index']['tickets']>[number]['ticket'];

function* submitterOf({ submitter, assignees }: Ticket): Generator<KnownPerson> {
	if (submitter?.kind === 'user') {
		yield account(submitter.canonicalName);
	} else if (submitter?.kind === 'email') {
		yield { name: submitter.address, called: submitter.name };
	}
	for (const { canonicalName } of assignees) {
		yield account(canonicalName);
	}
}

function account(name: OwnerName): KnownPerson {
	return { name, called: undefined };
}
