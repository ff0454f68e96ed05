import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { References } from '../../editor/links/references.ts';
import type { CommandTable, Feature } from '../../editor/commands/feature.ts';
import type { PageHost } from '../../editor/pages/pageHost.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import type { Connections } from '../../store/connection.ts';
import { ticketSubject, trackerSubject, type TicketSubject } from './subjects/subjects.ts';
import { askTicket, askTracker } from './subjects/ticketQuestions.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { HardenedGit } from '../../machine/git/hardenedGit.ts';
import { commitBox, keptWork } from './work/commitBox.ts';
import { commitTemplate } from './work/commitTemplate.ts';
import { referenceCompletions } from './references/completions.ts';
import type { FolderMapping } from '../../editor/git/folderMapping.ts';
import { writeFolderSetting } from './work/folderSetting.ts';
import type { FindGit } from '../../editor/git/gitApi.ts';
import { referenceHovers, referenceLinks, terminalLinks } from './references/linkProviders.ts';
import { showFolders } from './work/showFolders.ts';
import { startWork } from './work/startWork.ts';
import { ticketLooks } from './references/ticketLooks.ts';
import { unpushedTicket } from './work/unpushed.ts';

export interface ReferencesParts {
	readonly connections: Connections;
	readonly folders: FolderMapping;
	readonly findGit: FindGit;
	readonly pages: PageHost;
	readonly clock: Clock;
	readonly problems: Problems;
	readonly git: HardenedGit;
	/** The editor's storage for the workspace. */
	readonly workspaceStorage: vscode.Memento;
}

/** References in editors and terminals, and work on tickets in the repositories of the workspace. */
export interface ReferencesFeature extends Feature {
	readonly references: References;
}

/** Composes what belongs to references. */
export function referencesFeature(parts: ReferencesParts): ReferencesFeature {
	const { connections, folders, findGit, clock, problems } = parts;
	const template = commitTemplate(parts.git);
	const owned = new Disposables();
	const looks = ticketLooks({ connections, clock });
	const work = keptWork(parts.workspaceStorage);
	const box = owned.add(commitBox(work));
	const ending = new AbortController();
	if (work.any()) {
		// Nobody waits for it, and a window without git has no box.
		findGit(ending.signal).then(
			(git) => git && box.follow(git),
			() => undefined,
		);
	}
	const linkParts = { connections, folders, looks, clock };

	const commands: CommandTable = {
		'forge.tickets.startWork': async (subject, signal) =>
			startWork(
				{ connections, folders, findGit, work, box, template, problems, branchTemplate },
				await ticketTarget(parts, subject, signal),
				signal,
			),
		'forge.tickets.unpushed': async (_, signal) => {
			const chosen = await unpushedTicket({ connections, findGit, looks }, signal);
			if (chosen) {
				await vscode.commands.executeCommand('forge.tickets.open', chosen);
			}
		},
		'forge.folders.show': (_, signal) =>
			showFolders(
				{
					connections,
					folders,
					findGit,
					workspaceFolders: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
					writeSetting: writeFolderSetting,
				},
				signal,
			),
	};

	return {
		commands,
		references: {
			links: referenceLinks(linkParts),
			hovers: referenceHovers(linkParts),
			completions: referenceCompletions({ connections, folders, clock }),
			terminals: terminalLinks(linkParts),
		},
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}

function branchTemplate(folder: vscode.Uri): string {
	const value = vscode.workspace.getConfiguration('forge', folder).get<unknown>('work.branchName');
	return typeof value === 'string' ? value : '';
}

/** The given ticket, the one on the active page, or one that the user chooses. */
async function ticketTarget(
	{ connections, pages }: ReferencesParts,
	subject: unknown,
	signal: AbortSignal,
): Promise<TicketSubject> {
	const given = ticketSubject(subject) ?? (subject === undefined ? ticketSubject(pages.inFront()) : undefined);
	if (given) {
		return given;
	}
	const tracker = trackerSubject(subject) ?? (await askTracker(connections, signal));
	return askTicket(connectionOf(connections, tracker), tracker.ref, {
		wanted: ({ status }) => status !== 'resolved',
		signal,
	});
}
