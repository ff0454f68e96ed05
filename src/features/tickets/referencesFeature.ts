import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import type { References } from '../../editor/links/references.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { referenceCompletions } from './references/completions.ts';
import { referenceHovers, referenceLinks, terminalLinks } from './references/linkProviders.ts';
import { ticketLookups } from './references/ticketLookups.ts';
import { ticketSubject } from './subjects/subjects.ts';
import { isOpen, ticketOf } from './subjects/ticketTarget.ts';
import type { TicketsContext } from './context/ticketsContext.ts';
import { commitBox, keptWork } from './work/commitBox.ts';
import { showFolders } from './work/showFolders.ts';
import { commitTemplate, startWork } from './work/startWork.ts';
import { unpushedTicket } from './work/unpushed.ts';

/** References in editors and terminals, and work on tickets in the repositories of the workspace. */
export function referencesFeature(context: TicketsContext, git: HardenedGit, workspaceStorage: vscode.Memento) {
	const { connections, findGit, clock } = context;
	const template = commitTemplate(git);
	const owned = new Disposables();
	const looks = ticketLookups(connections, clock);
	const work = keptWork(workspaceStorage);
	const box = owned.add(commitBox(work));
	const ending = new AbortController();
	if (work.any()) {
		// Nobody waits for it, and a window without git has no box.
		findGit(ending.signal).then(
			(found) => found && box.follow(found),
			() => undefined,
		);
	}

	const commands: CommandTable = {
		'forge.tickets.startWork': async (subject, signal) => {
			// From the palette, the ticket on the active page.
			const given = ticketSubject(subject === undefined ? context.pages.inFront() : subject);
			await startWork(context, box, template, given ?? (await ticketOf(context, subject, isOpen, signal)), signal);
		},
		'forge.tickets.unpushed': async (_, signal) => {
			const chosen = await unpushedTicket(connections, findGit, looks, signal);
			if (chosen) {
				await vscode.commands.executeCommand('forge.tickets.open', chosen);
			}
		},
		'forge.folders.show': (_, signal) => showFolders(context, signal),
	};
	const references: References = {
		links: referenceLinks(context),
		hovers: referenceHovers(context, looks),
		completions: referenceCompletions(context),
		terminals: terminalLinks(context),
	};
	return {
		commands,
		references,
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}
