import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify, withoutPictures, tellBriefly } from '../../../editor/ask/notify.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { DraftComment } from 'patchmail/review/reviewDraft.ts';
import { addedId, isOnlyTyped } from 'patchmail/review/typedDraft.ts';
import type { DraftEntry, DraftSubject, ReviewSubject } from '../../../store/drafts/drafts.ts';
import { forgetAlone, keptAlone, forgetWholeOf, addTyped, reviewSubject } from '../../../store/drafts/reviewDrafts.ts';
import { shortAge } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { DraftDocuments } from './draftDocuments.ts';
import { isDocument, replyTitle } from './draftSubject.ts';

/** A draft with text. Excludes mail progress and the parts of a review that have no text. */
interface WrittenEntry extends DraftEntry {
	readonly about: Exclude<DraftSubject, { readonly kind: 'mailSending' }>;
}

/** Characters of a draft's first line in the list. */
const longestLine = 100;

/** Lists all unsent drafts. Choosing one opens it in its editor or page. */
export async function showDrafts(context: TicketsContext, documents: DraftDocuments): Promise<void> {
	if (listed(context).length === 0) {
		void notify('information', vscode.l10n.t('No drafts. Unsent comments, tickets and descriptions appear here.'));
		return;
	}
	await openDraft(context, documents, await pickDraft(context, documents));
}

function listed({ drafts }: TicketsContext): readonly WrittenEntry[] {
	return drafts.all().filter(isWritten);
}

function isWritten(entry: DraftEntry): entry is WrittenEntry {
	const { about } = entry;
	return about.kind === 'review'
		? about.part.kind === 'comment' || about.part.kind === 'mail' || isChangedFile(about)
		: about.kind !== 'mailSending';
}

function isChangedFile({ part }: ReviewSubject): boolean {
	return part.kind === 'suggestedFile';
}

/** Quick pick that stays open while the user deletes drafts. */
function pickDraft(context: TicketsContext, documents: DraftDocuments): Promise<WrittenEntry> {
	const picked = Promise.withResolvers<WrittenEntry>();
	const pick = vscode.window.createQuickPick<ReturnType<typeof draftRow>>();
	const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Discard Draft…') };
	const fill = (): void => {
		pick.items = listed(context).map((entry) => ({ ...draftRow(context, entry), buttons: [remove] }));
	};
	fill();
	pick.title = vscode.l10n.t('Drafts');
	pick.placeholder = vscode.l10n.t('Choose a draft to continue');
	pick.ignoreFocusOut = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.onDidAccept(() => {
		const [chosen] = pick.selectedItems;
		if (chosen) {
			picked.resolve(chosen.entry);
			pick.hide();
		}
	});
	pick.onDidTriggerItemButton(({ item }) => {
		deleteDraft(context, documents, item.entry).then(
			() => (listed(context).length === 0 ? pick.hide() : fill()),
			picked.reject,
		);
	});
	pick.onDidHide(() => {
		pick.dispose();
		// No-op after a choice.
		picked.reject(cancelled());
	});
	pick.show();
	return picked.promise;
}

const icons: Readonly<Record<WrittenEntry['about']['kind'], string>> = {
	comment: 'comment',
	editedEntry: 'comment',
	editedComment: 'comment',
	ticketText: 'issues',
	newTicket: 'issues',
	description: 'project',
	listDescription: 'mail',
	repositoryDescription: 'repo',
	review: 'comment-discussion',
	mail: 'reply',
};

/** List row: first line, purpose and age of a draft. */
function draftRow({ connections, clock }: TicketsContext, entry: WrittenEntry) {
	const { about, draft } = entry;
	const first = draft.text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';
	const account = connections.byKey(about.connectionKey);
	return {
		label: withoutPictures(Array.from(visibleLine(first)).slice(0, longestLine).join('')),
		description: shortAge(draft.atMs, clock.nowMs(), vscode.env.language),
		detail: withoutPictures(
			account ? purpose(about) : vscode.l10n.t('{0} (signed out of {1})', purpose(about), about.connectionKey),
		),
		iconPath: new vscode.ThemeIcon(icons[about.kind]),
		entry,
	};
}

function purpose(about: WrittenEntry['about']): string {
	switch (about.kind) {
		case 'comment':
			return vscode.l10n.t('Comment on {0}', visibleLine(ticketRefText(about.ref)));
		case 'editedEntry':
		case 'editedComment':
			return vscode.l10n.t('Changed comment on {0}', visibleLine(ticketRefText(about.ref)));
		case 'ticketText':
			return vscode.l10n.t('Title and description of {0}', visibleLine(ticketRefText(about.ref)));
		case 'newTicket':
			return vscode.l10n.t('New ticket in {0}', visibleLine(refText(about.tracker)));
		case 'description':
			return vscode.l10n.t('Description of {0}', visibleLine(refText(about.tracker)));
		case 'listDescription':
			return vscode.l10n.t('Description of list {0}', visibleLine(refText(about.ref)));
		case 'repositoryDescription':
			return vscode.l10n.t('Description of repository {0}', visibleLine(refText(about.ref)));
		case 'review':
			return reviewPurpose(about, visibleLine(refText(about.ref.list)));
		case 'mail':
			return about.answers === undefined
				? vscode.l10n.t('New message to {0}', visibleLine(refText(about.ref)))
				: replyTitle(about.name, visibleLine(refText(about.ref)));
	}
}

/** Purpose of a draft on a patchset, or on a version that the client formed from mails. */
function reviewPurpose(about: ReviewSubject, list: string): string {
	const mail = firstMailOfFormed(about.ref.id);
	const id = mail ?? about.ref.id;
	const isMail = mail !== undefined;
	if (isChangedFile(about)) {
		return isMail
			? vscode.l10n.t('Suggested change to message {0} in {1}', id, list)
			: vscode.l10n.t('Suggested change to patchset {0} in {1}', id, list);
	}
	if (about.part.kind === 'mail') {
		return isMail
			? vscode.l10n.t('Message of the review of message {0} in {1}', id, list)
			: vscode.l10n.t('Message of the review of patchset {0} in {1}', id, list);
	}
	if (typedCommentOf(about)) {
		return isMail
			? vscode.l10n.t('Review of message {0} in {1} (typed and not added)', id, list)
			: vscode.l10n.t('Review of patchset {0} in {1} (typed and not added)', id, list);
	}
	return isMail
		? vscode.l10n.t('Review of message {0} in {1}', id, list)
		: vscode.l10n.t('Review of patchset {0} in {1}', id, list);
}

async function deleteDraft({ drafts }: TicketsContext, documents: DraftDocuments, entry: WrittenEntry): Promise<void> {
	const { about, draft } = entry;
	const isUnsure = about.kind === 'mail' && keptAlone(drafts, about) !== undefined;
	const detail = isUnsure
		? vscode.l10n.t("It may have been sent already, which this doesn't change. This can't be undone.")
		: vscode.l10n.t("Its text was not sent to the forge. This can't be undone.");
	if (!(await confirmForGood(vscode.l10n.t('Discard this draft?'), detail, vscode.l10n.t('Discard')))) {
		return;
	}
	if (drafts.draft(about)?.text === draft.text) {
		await (about.kind === 'review' ? forgetWholeOf(drafts, about) : undefined);
		await (isDocument(about) ? documents.finish(about) : undefined);
		await (about.kind === 'mail' ? forgetAlone(drafts, about) : undefined);
	}
	await drafts.forget(entry);
}

/** Opens a draft for editing. If another window replaced it, shows the old text in a new document. */
async function openDraft(
	context: TicketsContext,
	documents: DraftDocuments,
	{ about, draft }: WrittenEntry,
): Promise<void> {
	if (!context.connections.byKey(about.connectionKey) || context.drafts.draft(about)?.text !== draft.text) {
		const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: draft.text });
		await showDocument(document, { preview: false });
		return;
	}
	if (isDocument(about)) {
		await documents.open(about);
		const typed = typedCommentOf(about);
		if (about.kind === 'review' && typed) {
			// Not awaited: the user may ignore the offer.
			void offerToAdd(context, documents, about, typed).catch((error: unknown) => void context.problems.show(error));
		}
		return;
	}
	const { kind, connectionKey, ref } = about;
	const subject: TicketSubject = { kind: 'ticket', connectionKey, ref };
	switch (kind) {
		case 'comment':
			return vscode.commands.executeCommand('forge.tickets.comment', subject);
		case 'editedEntry':
			// An edited comment opens in its box on the page.
			return vscode.commands.executeCommand('forge.tickets.open', { ...subject, event: about.eventId });
		case 'editedComment':
			return vscode.commands.executeCommand('forge.tickets.open', subject);
		case 'ticketText':
			return vscode.commands.executeCommand('forge.tickets.edit', subject);
	}
}

/** Reference to a comment that the user typed in a patch and never added. */
type TypedComment = Pick<DraftComment, 'id' | 'place'>;

/** The typed comment of a draft that the user never added; no review sends it as it is. */
function typedCommentOf(about: DraftSubject): TypedComment | undefined {
	const isTyped = about.kind === 'review' && about.part.kind === 'comment' && isOnlyTyped(about.part);
	return isTyped ? about.part : undefined;
}

/** Offers to add a comment that was only typed. */
async function offerToAdd(
	{ drafts, clock }: TicketsContext,
	documents: DraftDocuments,
	about: ReviewSubject,
	comment: TypedComment,
): Promise<void> {
	const { place } = comment;
	const edited = drafts.draft(reviewSubject(about, { kind: 'comment', id: addedId(comment.id), place }));
	const [question, answer] = edited
		? [vscode.l10n.t('This was typed while you edited a draft comment, and not saved.'), vscode.l10n.t('Replace Draft')]
		: [
				vscode.l10n.t('This comment was typed and not added, so it is not sent with your review.'),
				vscode.l10n.t('Add Comment'),
			];
	if ((await notify('information', question, answer)) !== answer) {
		return;
	}
	const text = documents.textOf(about) ?? '';
	if (text.trim() === '') {
		return tellBriefly(vscode.l10n.t('A comment needs text.'));
	}
	const added = await addTyped(drafts, about, { ...comment, text }, text, clock.nowMs());
	await documents.finish(about);
	await documents.open(added);
}
