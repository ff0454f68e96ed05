import * as vscode from 'vscode';
import type { Destination } from 'sourcehut/port/destination.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import type { Connection } from '../../store/connection.ts';
import { openDestination } from './openDestination.ts';

/** A thread by the number of its first message. */
export interface ThreadPlace {
	readonly kind: 'thread';
	readonly list: ListRef;
	readonly id: number;
}

/** A page of a mail archive. */
export interface ArchivePage {
	readonly kind: 'archive';
	readonly url: string;
}

/** A thing that Go to… opens. */
export interface GoToThing {
	/** The account that reads it. `undefined` only for URLs of no known forge. */
	readonly connection: Connection | undefined;
	readonly to: Destination | ThreadPlace | ArchivePage;
	/** The number of a ticket or patchset, as people write it; else empty. */
	readonly label: string;
	/** One line of hostile text with the title, the place and the state. */
	readonly text: string;
	readonly icon: vscode.ThemeIcon;
}

/** A tracker, list or repository that an account knows. */
export interface GoToName {
	readonly connection: Connection;
	readonly kind: 'tracker' | 'list' | 'repository';
	readonly ref: NamedRef;
}

/** `openArchive`: opens a page of a mail archive. */
export async function openThing(
	{ connection, to }: GoToThing,
	openArchive: (url: string, signal: AbortSignal) => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
	if (to.kind === 'archive') {
		return openArchive(to.url, signal);
	}
	if (to.kind !== 'thread') {
		return openDestination(connection, to, signal);
	}
	const { list, id } = to;
	const subject = { kind: 'mail', connectionKey: connection?.key, list, id, messageId: undefined };
	await vscode.commands.executeCommand('forge.lists.openThread', subject);
}
