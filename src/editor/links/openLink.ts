import type { Connections } from '../../store/connection.ts';
import { safeLink } from '../../engine/text/linkPolicy.ts';
import { listOfAddresses } from '../../engine/text/remoteAddress.ts';
import { destinationLooks, firstAt } from './destinationText.ts';
import { openDestination, openExactly } from './openDestination.ts';
import { connectionOf } from '../commands/subjects.ts';
import { originOf } from 'sourcehut/port/instance.ts';

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
 * repositories, commits, files, references) opens in its own view, the address of a list opens the list, everything else on the web. A forbidden link does
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
	// The account that loaded the text goes first: it has seen the target.
	const all = [from, ...connections.all()];
	if (link.kind === 'mail') {
		for (const at of all) {
			const ref = listOfAddresses(link.href.slice('mailto:'.length), originOf(at.instance, 'lists'));
			if (ref) {
				return openDestination(at, { kind: 'list', ref }, signal);
			}
		}
	}
	const found = url && firstAt(url, all, ({ instance }) => instance);
	if (found && destinationLooks[found.to.kind].hasView) {
		return openDestination(found.at, found.to, signal);
	}
	await openExactly(link.href);
}
