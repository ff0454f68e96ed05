import * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';
import { action, clickedHref, personName } from '../../pages/protocol/pageProtocol.ts';
import type { Connections } from '../../store/connection.ts';
import type { Problems } from '../ask/problems.ts';
import { openLink } from './openLink.ts';

/* Requests with the same meaning on several pages. */

/** Commands report their own errors. */
export function run(command: CommandId, subject: unknown): Thenable<unknown> {
	return vscode.commands.executeCommand(command, subject);
}

/** Lists what a person has, named by account or address. */
export function openPerson(connectionKey: string) {
	return action(personName, (name) => run('forge.people.open', { kind: 'person', connectionKey, name }));
}

/** Opens a clicked link if the link policy allows it. `base`: web address of the page's subject. */
export function followLink(
	{ connections, problems }: { readonly connections: Connections; readonly problems: Problems },
	connectionKey: string,
	base: () => string,
	signal: AbortSignal,
) {
	return action(clickedHref, (href) =>
		withNotice(problems, async () => openLink(connections, { connectionKey, href, base: base() }, signal)),
	);
}

/** Shows an error as a command does. */
export async function withNotice(problems: Problems, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		// Not awaited: the notice may stay open for hours.
		void problems.show(error);
	}
}
