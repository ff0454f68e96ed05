import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { Disposables } from '../../../base/lifecycle.ts';
import type { Feature } from '../../../editor/feature.ts';
import type { Problems } from '../../../editor/problems.ts';
import { connectionOf } from '../../../editor/subjects.ts';
import type { Connections } from '../../../state/connection.ts';
import type { Drafts } from '../../../state/drafts.ts';
import { newTicketFeature } from '../newTicket/newTicketFeature.ts';
import { emptyNewTicket } from '../newTicket/newTicketText.ts';
import type { FolderOf } from '../newTicket/newTicketFromHere.ts';
import type { FindGit } from '../../../editor/gitApi.ts';
import type { ShowLabelsParts } from '../trackers/showLabels.ts';
import { trackersFeature } from '../trackers/trackersFeature.ts';
import { draftDocuments } from './draftDocuments.ts';
import { draftFileSystem, type DraftFileSystem } from './draftFileSystem.ts';
import { draftUri, type DocumentSubject } from './draftUri.ts';
import { showDrafts } from './showDrafts.ts';

/** What writing needs of the rest of the program. */
export interface WritingParts extends ShowLabelsParts {
	readonly connections: Connections;
	readonly drafts: Drafts;
	readonly problems: Problems;
	readonly clock: Clock;
	/** Settles once everybody who is signed in at start is connected. */
	readonly ready: () => Promise<void>;
	readonly folderOf: FolderOf;
	readonly git: FindGit;
	/** 16 hexadecimal digits that were never used before. */
	readonly newName: () => string;
}

/** Everything that is written in documents: new tickets, trackers' descriptions, and the list of all drafts. */
export interface WritingFeature extends Feature {
	/** `forge-new:` and `forge-description:`. */
	readonly files: DraftFileSystem;
}

/** Composes what is written in documents. */
export function writingFeature(parts: WritingParts): WritingFeature {
	const owned = new Disposables();
	const ending = new AbortController();
	const firstTexts = new Map<string, string>();
	const documents = owned.add(draftDocuments(parts));
	const files = owned.add(draftFileSystem({ ...parts, firstText }));
	const newTickets = owned.add(
		newTicketFeature({
			...parts,
			documents,
			openTicket: (subject) => void vscode.commands.executeCommand('forge.tickets.open', subject),
		}),
	);
	const trackers = owned.add(trackersFeature({ ...parts, documents, firstTexts }));

	async function firstText(about: DocumentSubject): Promise<string> {
		if (about.kind === 'newTicket') {
			return emptyNewTicket;
		}
		// After a restart the accounts come a moment later than the documents.
		await parts.ready();
		const key = draftUri(about).toString();
		const known = firstTexts.get(key);
		if (known !== undefined) {
			return known;
		}
		const { forge } = connectionOf(parts.connections, about);
		const { description = '' } = await forge.trackers.tracker(about.tracker, ending.signal);
		firstTexts.set(key, description);
		return description;
	}

	return {
		files,
		commands: {
			...newTickets.commands,
			...trackers.commands,
			'forge.drafts.show': () =>
				showDrafts({
					...parts,
					documents,
					writeComment: async (subject) =>
						void (await vscode.commands.executeCommand('forge.tickets.comment', subject)),
				}),
		},
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}
