import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import type { MailDraft, MailDraftDocuments } from '../../editor/documents/mailDrafts.ts';
import { placeOfPatchUri } from '../../editor/patchDocuments/patchUri.ts';
import { descriptions, type DescribedKinds } from './drafts/descriptions.ts';
import { draftDocuments } from './drafts/draftDocuments.ts';
import { draftFileSystem } from './drafts/draftFileSystem.ts';
import { draftOfUri } from './drafts/draftUri.ts';
import { isDescription, type DescriptionSubject, type DocumentSubject } from './drafts/draftSubject.ts';
import { showDrafts } from './drafts/showDrafts.ts';
import { trackerCommands } from './manage/trackerCommands.ts';
import { newTicketFeature } from './newTicket/newTicketFeature.ts';
import { emptyNewTicket } from './newTicket/newTicketText.ts';
import { trackerKind } from './subjects/trackerKind.ts';
import type { TicketsContext } from './context/ticketsContext.ts';

type OtherKinds = Omit<DescribedKinds, 'description'>;

/** The mail or review draft of a document. */
function mailDraftOf(uri: vscode.Uri): MailDraft | undefined {
	const about = draftOfUri(uri);
	return about?.kind === 'mail' || about?.kind === 'review' ? about : undefined;
}

/** Initial text of a suggested file. */
async function textOfPatchDocument(uri: vscode.Uri): Promise<string> {
	return placeOfPatchUri(uri) ? (await vscode.workspace.openTextDocument(uri)).getText() : '';
}

/**
 * Document-based writing: new tickets, descriptions, and the list of all drafts. `otherKinds`: texts and writes for
 * descriptions of lists and repositories.
 */
export function writingFeature(context: TicketsContext, otherKinds: OtherKinds) {
	const { drafts, clock, problems } = context;
	const owned = new Disposables();
	const ending = new AbortController();
	const documents = owned.add(draftDocuments(drafts, clock, problems));
	const described = owned.add(descriptions(context, documents, { description: trackerKind, ...otherKinds }));
	const files = owned.add(draftFileSystem(drafts, clock, problems, firstText, documents.onDidReplace));
	const newTickets = owned.add(newTicketFeature(context, documents));

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

	const commands: CommandTable = {
		...newTickets.commands,
		...trackerCommands(context, described),
		'forge.drafts.show': () => showDrafts(context, documents),
	};
	return {
		/** `forge-new:`, `forge-description:`, `forge-reply:` and `forge-suggestion:`. */
		files,
		documents,
		mailDrafts: { ...documents, aboutOf: mailDraftOf } satisfies MailDraftDocuments,
		editDescription: (about: DescriptionSubject) => described.edit(about),
		commands,
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}
