import type { Destination } from '../../forge/port/destination.ts';
import { webDestination } from '../../forge/port/webDestination.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import { safeLink } from '../../engine/text/linkPolicy.ts';
import { openDestination } from './openDestination.ts';
import { connectionOf } from '../commands/subjects.ts';
import { openExactly } from './openExactly.ts';

/** A clicked link in a text from a forge. */
export interface ClickedLink {
	/** Account that loaded the text. */
	readonly connectionKey: string;
	/** As written; untrusted. */
	readonly href: string;
	/** Web address of the text's owner. */
	readonly base: string;
}

/**
 * Opens a link if the link policy allows it. Content of connected forges (tickets, patchsets, mails, people,
 * repositories, commits, files, references) opens in its own view, everything else on the web. A forbidden link does
 * nothing, like a dead one.
 */
export async function openLink(
	connections: Connections,
	{ connectionKey, href, base }: ClickedLink,
	signal: AbortSignal,
): Promise<void> {
	const from = connectionOf(connections, { connectionKey });
	const link = safeLink(href, base);
	if (!link) {
		return;
	}
	const url = link.kind === 'web' ? URL.parse(link.href) : null;
	const found = url ? placeOf(url, [from, ...connections.all()]) : undefined;
	if (found && hasOwnView(found.to)) {
		return openDestination(found.reader, found.to, signal);
	}
	await openExactly(link.href);
}

/** The account that loaded the text goes first: it has seen the target. */
function placeOf(
	url: URL,
	readers: readonly Connection[],
):
	| {
			readonly reader: Connection;
			readonly to: Destination;
	  }
	| undefined {
	for (const reader of readers) {
		const to = webDestination(url, reader.instance);
		if (to) {
			return { reader, to };
		}
	}
	return undefined;
}

/** A whole tracker or list has a row in a view and no page: there the web shows more than a question would. */
function hasOwnView({ kind }: Destination): boolean {
	switch (kind) {
		case 'ticket':
		case 'patchset':
		case 'mail':
		case 'person':
		case 'commit':
		case 'file':
		case 'inRepository':
		case 'log':
		case 'reference':
		case 'repository':
			return true;
		case 'tracker':
		case 'list':
		case 'named':
		case 'web':
			return false;
	}
}
