import * as vscode from 'vscode';
import { openDestination } from '../../editor/links/openDestination.ts';
import { refText } from '../../forge/namedRef.ts';
import { refOfList, type ListRef } from '../../forge/list.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { RowName } from '../../protocol/personProtocol.ts';
import type { Connection } from '../../state/connection.ts';
import type { Listing } from '../../state/shared/listing.ts';
import type { Person, SentPatchsets } from '../../state/people/person.ts';
import type { ReadPart } from '../../state/shared/readPart.ts';
import { refOfRepository, refOfTracker } from './listingViews.ts';
import { keyOfSent } from './sentView.ts';

/** Objects behind the page's rows. */
export interface RowWorld {
	readonly connection: Connection;
	readonly person: Person | undefined;
	readonly sent: SentPatchsets;
}

/** Opens a row's object with its own area's command. A stale row opens nothing. */
export async function openRow(world: RowWorld, { section, key }: RowName, signal: AbortSignal): Promise<void> {
	const { connection, sent } = world;
	const connectionKey = connection.key;
	switch (section) {
		case 'patchsets': {
			const found = sent.items.find((each) => keyOfSent(each) === key);
			return run('forge.patchsets.open', found && { kind: 'patchset', connectionKey, ref: found.ref });
		}
		case 'mails':
			return openMail(world, key, signal);
		case 'trackers': {
			const ref = trackerAt(world, key);
			return run('forge.tickets.open', ref && { kind: 'tracker', connectionKey, ref });
		}
		case 'lists': {
			const ref = listAt(world, key);
			return run('forge.lists.openThread', ref && { kind: 'list', connectionKey, ref });
		}
		case 'repositories': {
			const ref = repositoryAt(world, key);
			return run('forge.repositories.open', ref && { kind: 'repository', connectionKey, ref });
		}
	}
}

async function openMail({ connection, person }: RowWorld, key: string, signal: AbortSignal): Promise<void> {
	const mail = itemsOf(person?.mails).find(({ id }) => String(id) === key);
	if (!mail) {
		return;
	}
	const { id, messageId, list } = mail;
	// By the contract a mail may lack its list; the forge finds it by Message-ID.
	await (list
		? run('forge.lists.openThread', {
				kind: 'mail',
				connectionKey: connection.key,
				list: refOfList(list),
				id,
				messageId,
			})
		: openDestination(connection, { kind: 'mail', messageId, list: undefined }, signal));
}

/** Adds a tracker, list or repository to the account's views after the forge confirms that it exists. */
export async function keepRow(world: RowWorld, { section, key }: RowName, signal: AbortSignal): Promise<void> {
	const { tickets, lists, repositories } = world.connection;
	switch (section) {
		case 'trackers': {
			const ref = trackerAt(world, key);
			await (ref && tickets.follow(ref, signal));
			return;
		}
		case 'lists': {
			const ref = listAt(world, key);
			await (ref && lists.follow(ref, signal));
			return;
		}
		case 'repositories': {
			const ref = repositoryAt(world, key);
			await (ref && repositories.follow(ref, signal));
			return;
		}
		case 'patchsets':
		case 'mails':
			return;
	}
}

function trackerAt({ person }: RowWorld, key: string): TrackerRef | undefined {
	return itemsOf(person?.trackers)
		.map(refOfTracker)
		.find((each) => refText(each) === key);
}

function listAt({ person }: RowWorld, key: string): ListRef | undefined {
	return itemsOf(person?.lists)
		.map(refOfList)
		.find((each) => refText(each) === key);
}

function repositoryAt({ person }: RowWorld, key: string): RepositoryRef | undefined {
	return itemsOf(person?.repositories)
		.map((each) => refOfRepository(each, person))
		.find((each) => refText(each) === key);
}

function itemsOf<T>(part: ReadPart<Listing<T>> | undefined): readonly T[] {
	return part?.kind === 'known' ? part.value.items : [];
}

async function run(command: string, subject: unknown): Promise<void> {
	if (subject !== undefined) {
		await vscode.commands.executeCommand(command, subject);
	}
}
