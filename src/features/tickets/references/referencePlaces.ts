import type * as vscode from 'vscode';
import type { TicketRef } from '../../../forge/port/ticket.ts';
import type { TrackerRef } from '../../../forge/port/tracker.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { Span } from '../../../engine/text/commentSpans.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { FolderBelongs, FolderMapping } from '../../../editor/git/folderMapping.ts';
import { knowsTracker } from '../subjects/known.ts';
import { namedTickets, type NamedTicket } from './referencesOfText.ts';

/** A ticket reference in a text and the account that reads the ticket. Offsets refer to the text. */
export interface ReferencePlace extends Span {
	readonly subject: TicketSubject;
}

export interface PlacesParts {
	readonly connections: Connections;
	readonly folders: FolderMapping;
}

/** A text with its location, on which the meaning of `#12` depends. */
export interface StandingText {
	readonly text: string;
	readonly languageId: string;
	/** File or folder; `undefined` for a text without location. */
	readonly uri: vscode.Uri | undefined;
}

/**
 * Ticket references in a text. Asks for the folder's tracker only if a reference is incomplete or several forges match.
 * Skips references to unknown trackers; makes no requests.
 */
export async function referencePlaces(
	{ connections, folders }: PlacesParts,
	{ text, languageId, uri }: StandingText,
	signal: AbortSignal,
): Promise<readonly ReferencePlace[]> {
	const all = connections.all();
	const named = namedTickets(
		text,
		languageId,
		all.map(({ instance }) => instance.areas.todo),
	);
	const needsFolder = named.some((each) => each.kind === 'written' && (isShort(each) || all.length > 1));
	const folder = uri && needsFolder ? await folders.of(uri, signal) : undefined;
	return named.flatMap((each): readonly ReferencePlace[] => {
		const meant = targetTicket(each, all, folder);
		return meant === undefined
			? []
			: [
					{
						start: each.start,
						end: each.end,
						subject: { kind: 'ticket', connectionKey: meant.connection.key, ref: meant.ref },
					},
				];
	});
}

function isShort({ written }: NamedTicket & { readonly kind: 'written' }): boolean {
	return written.owner === undefined;
}

interface Target {
	readonly connection: Connection;
	readonly ref: TicketRef;
}

function targetTicket(
	named: NamedTicket,
	all: readonly Connection[],
	folder: FolderBelongs | undefined,
): Target | undefined {
	if (named.kind === 'address') {
		const there = all.filter(({ instance }) => instance.areas.todo === named.origin);
		return meantBy(there.find((each) => knowsTracker(each, named.ref.tracker)) ?? there[0], named.ref);
	}
	const { owner, name, id } = named.written;
	const connection = connectionOfFolder(all, folder);
	if (owner !== undefined && name !== undefined) {
		const tracker = { owner, name };
		return meantBy(connection ?? all.find((each) => knowsTracker(each, tracker)) ?? onlyForge(all), { tracker, id });
	}
	return folder?.tracker && connection && shortTicket(connection, folder.tracker.ref, { name, id });
}

function connectionOfFolder(all: readonly Connection[], folder: FolderBelongs | undefined): Connection | undefined {
	const key = (folder?.tracker ?? folder?.repository)?.connectionKey;
	return all.find((each) => each.key === key);
}

/** `#12`, or `name#12` of the same owner. The second form is ambiguous, so accept it only for known trackers. */
function shortTicket(
	connection: Connection,
	here: TrackerRef,
	{ name, id }: { readonly name: string | undefined; readonly id: number },
): Target | undefined {
	const tracker = name === undefined ? here : { owner: here.owner, name };
	return name === undefined || knowsTracker(connection, tracker) ? { connection, ref: { tracker, id } } : undefined;
}

function meantBy(connection: Connection | undefined, ref: TicketRef): Target | undefined {
	return connection && { connection, ref };
}

function onlyForge(all: readonly Connection[]): Connection | undefined {
	return new Set(all.map(({ instance }) => instance.id)).size === 1 ? all[0] : undefined;
}
