import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { Feature } from '../../editor/commands/feature.ts';
import type { MailDraft, MailDraftDocuments } from '../../editor/documents/mailDrafts.ts';
import { placeOfPatchUri } from '../../editor/patchDocuments/patchUri.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { PageHost } from '../../editor/pages/pageHost.ts';
import type { Connections } from '../../store/connection.ts';
import type { Drafts } from '../../store/drafts/drafts.ts';
import { newTicketFeature } from './newTicket/newTicketFeature.ts';
import { emptyNewTicket } from './newTicket/newTicketText.ts';
import type { FolderOf } from './newTicket/newTicketFromHere.ts';
import type { FindGit } from '../../editor/git/gitApi.ts';
import type { ShowLabelsParts } from './manage/showLabels.ts';
import { trackerKind } from './subjects/trackerKind.ts';
import { trackersFeature } from './manage/trackersFeature.ts';
import { draftDocuments } from './drafts/draftDocuments.ts';
import { draftFileSystem, type DraftFileSystem } from './drafts/draftFileSystem.ts';
import { descriptions, type DescribedKinds } from './drafts/descriptions.ts';
import { draftOfUri, isDescription, type DescriptionSubject, type DocumentSubject } from './drafts/draftUri.ts';
import { settledWrites, type SettledWritesParts } from './drafts/settledWrites.ts';
import { showDrafts } from './drafts/showDrafts.ts';

export interface WritingParts extends ShowLabelsParts {
	readonly connections: Connections;
	readonly pages: Pick<PageHost, 'inFront'>;
	readonly drafts: Drafts;
	readonly problems: Problems;
	readonly clock: Clock;
	/** Resolves when all accounts of the start are connected. */
	readonly ready: () => Promise<void>;
	readonly folderOf: FolderOf;
	readonly git: FindGit;
	/** Texts and writes for descriptions of lists and repositories. */
	readonly otherDescriptions: Omit<DescribedKinds, 'description'>;
	/** 16 hexadecimal digits that were never used before. */
	readonly newName: () => string;
	readonly resumeAct: SettledWritesParts['resumeAct'];
}

/** Document-based writing: new tickets, descriptions, and the list of all drafts. */
export interface WritingFeature extends Feature {
	/** `forge-new:`, `forge-description:`, `forge-reply:` and `forge-suggestion:`. */
	readonly files: DraftFileSystem;
	readonly mailDrafts: MailDraftDocuments;
	readonly editDescription: (about: DescriptionSubject) => Promise<void>;
}

/** The mail or review draft of a document. */
function mailDraftOf(uri: vscode.Uri): MailDraft | undefined {
	const about = draftOfUri(uri);
	return about?.kind === 'mail' || about?.kind === 'review' ? about : undefined;
}

/** Initial text of a suggested file. */
async function textOfPatchDocument(uri: vscode.Uri): Promise<string> {
	return placeOfPatchUri(uri) ? (await vscode.workspace.openTextDocument(uri)).getText() : '';
}

export function writingFeature(parts: WritingParts): WritingFeature {
	const owned = new Disposables();
	const ending = new AbortController();
	const documents = owned.add(draftDocuments(parts));
	const described = owned.add(
		descriptions({ ...parts, documents, kinds: { description: trackerKind, ...parts.otherDescriptions } }),
	);
	const files = owned.add(draftFileSystem({ ...parts, firstText, onDidReplace: documents.onDidReplace }));
	const newTickets = owned.add(
		newTicketFeature({
			...parts,
			documents,
			openTicket: (subject) => void vscode.commands.executeCommand('forge.tickets.open', subject),
		}),
	);
	owned.add(
		settledWrites({
			...parts,
			documents,
			openTicket: (subject) => void vscode.commands.executeCommand('forge.tickets.open', subject),
		}),
	);
	const trackers = trackersFeature({ ...parts, descriptions: described });

	async function firstText(about: DocumentSubject): Promise<string> {
		if (about.kind === 'review' && about.part.kind === 'suggestedFile') {
			return textOfPatchDocument(vscode.Uri.parse(about.part.document));
		}
		if (about.kind === 'mail' || about.kind === 'review') {
			// A command creates these documents; without a draft the text is sent or discarded.
			return '';
		}
		return isDescription(about) ? described.firstText(about, ending.signal) : emptyNewTicket;
	}

	return {
		files,
		mailDrafts: { ...documents, aboutOf: mailDraftOf },
		editDescription: (about) => described.edit(about),
		commands: {
			...newTickets.commands,
			...trackers.commands,
			'forge.drafts.show': () =>
				showDrafts({
					...parts,
					documents,
					writeComment: async (subject) =>
						void (await vscode.commands.executeCommand('forge.tickets.comment', subject)),
					openTicket: async (subject) => void (await vscode.commands.executeCommand('forge.tickets.open', subject)),
					editTicket: async (subject) => void (await vscode.commands.executeCommand('forge.tickets.edit', subject)),
				}),
		},
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}
