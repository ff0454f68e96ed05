import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify, withoutPictures, tellBriefly } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { firstMailOfFormed } from '../../../forge/port/list.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { ticketRefText } from '../../../forge/port/ticket.ts';
import type { DraftComment } from '../../../engine/review/reviewDraft.ts';
import { addedId, isOnlyTyped } from '../../../engine/review/typedDraft.ts';
import type { Connections } from '../../../store/connection.ts';
import type { DraftEntry, Drafts, DraftSubject, ReviewSubject } from '../../../store/drafts/drafts.ts';
import { forgetAlone, keptAlone, forgetWholeOf, addTyped, reviewSubject } from '../../../store/drafts/reviewDrafts.ts';
import { shortAge } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { DraftDocuments } from './draftDocuments.ts';
import { replyTitle, type DocumentSubject } from './draftUri.ts';

export interface ShowDraftsParts {
	readonly connections: Connections;
	readonly drafts: Drafts;
	readonly documents: DraftDocuments;
	readonly clock: Clock;
	readonly problems: Problems;
	/** Shows a ticket's page with the caret in its comment box. */
	readonly writeComment: (subject: TicketSubject) => Promise<void>;
	/** Shows a ticket's page, scrolled to the event if given. An edited comment opens in its box there. */
	readonly openTicket: (subject: TicketSubject & { readonly event: number | undefined }) => Promise<void>;
	/** Shows a ticket's page with its title and description in boxes. */
	readonly editTicket: (subject: TicketSubject) => Promise<void>;
}

/** A draft with text. Excludes mail progress and the parts of a review that have no text. */
interface WrittenEntry extends DraftEntry {
	readonly about: Exclude<DraftSubject, { readonly kind: 'mailSending' }>;
}

interface DraftRow extends vscode.QuickPickItem {
	readonly entry: WrittenEntry;
}

/** Characters of a draft's first line in the list. */
const longestLine = 100;

/** Lists all unsent drafts. Choosing one opens it in its editor or page. */
export async function showDrafts(parts: ShowDraftsParts): Promise<void> {
	if (listed(parts).length === 0) {
		void notify('information', vscode.l10n.t('No drafts. Unsent comments, tickets and descriptions appear here.'));
		return;
	}
	await openDraft(parts, await pickDraft(parts));
}

function listed({ drafts }: ShowDraftsParts): readonly WrittenEntry[] {
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
function pickDraft(parts: ShowDraftsParts): Promise<WrittenEntry> {
	const picked = Promise.withResolvers<WrittenEntry>();
	const pick = vscode.window.createQuickPick<DraftRow>();
	const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Discard Draft…') };
	const fill = (): void => {
		pick.items = listed(parts).map((entry) => ({ ...draftRow(parts, entry), buttons: [remove] }));
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
		deleteDraft(parts, item.entry).then(() => (listed(parts).length === 0 ? pick.hide() : fill()), picked.reject);
	});
	pick.onDidHide(() => {
		pick.dispose();
		// No-op after a choice.
		picked.reject(cancelled());
	});
	pick.show();
	return picked.promise;
}

/** List row: first line, purpose and age of a draft. */
function draftRow({ connections, clock }: ShowDraftsParts, entry: WrittenEntry): DraftRow {
	const { about, draft } = entry;
	const first = draft.text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';
	const account = connections.byKey(about.connectionKey);
	return {
		label: withoutPictures(Array.from(visibleLine(first)).slice(0, longestLine).join('')),
		description: shortAge(draft.atMs, clock.nowMs(), vscode.env.language),
		detail: withoutPictures(
			account ? purpose(about) : vscode.l10n.t('{0} (signed out of {1})', purpose(about), about.connectionKey),
		),
		iconPath: new vscode.ThemeIcon(iconOf(about)),
		entry,
	};
}

function iconOf({ kind }: WrittenEntry['about']): string {
	switch (kind) {
		case 'comment':
		case 'editedEntry':
		case 'editedComment':
			return 'comment';
		case 'ticketText':
		case 'newTicket':
			return 'issues';
		case 'description':
			return 'project';
		case 'listDescription':
			return 'mail';
		case 'repositoryDescription':
			return 'repo';
		case 'review':
			return 'comment-discussion';
		case 'mail':
			return 'reply';
	}
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

function reviewPurpose(about: ReviewSubject, list: string): string {
	const mail = firstMailOfFormed(about.ref.id);
	return mail === undefined ? purposeOnPatchset(about, list) : purposeOnMail(about, mail, list);
}

function purposeOnPatchset(about: ReviewSubject, list: string): string {
	if (isChangedFile(about)) {
		return vscode.l10n.t('Suggested change to patchset {0} in {1}', about.ref.id, list);
	}
	if (about.part.kind === 'mail') {
		return vscode.l10n.t('Message of the review of patchset {0} in {1}', about.ref.id, list);
	}
	return typedCommentOf(about)
		? vscode.l10n.t('Review of patchset {0} in {1} (typed and not added)', about.ref.id, list)
		: vscode.l10n.t('Review of patchset {0} in {1}', about.ref.id, list);
}

/** Purpose of a draft on a version that the client formed from mails. */
function purposeOnMail(about: ReviewSubject, mail: number, list: string): string {
	if (isChangedFile(about)) {
		return vscode.l10n.t('Suggested change to message {0} in {1}', mail, list);
	}
	if (about.part.kind === 'mail') {
		return vscode.l10n.t('Message of the review of message {0} in {1}', mail, list);
	}
	return typedCommentOf(about)
		? vscode.l10n.t('Review of message {0} in {1} (typed and not added)', mail, list)
		: vscode.l10n.t('Review of message {0} in {1}', mail, list);
}

async function deleteDraft({ drafts, documents }: ShowDraftsParts, entry: WrittenEntry): Promise<void> {
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
		const document = documentOf(about);
		await (document && documents.finish(document));
		await (about.kind === 'mail' ? forgetAlone(drafts, about) : undefined);
	}
	await drafts.forget(entry);
}

/** Opens a draft for editing. If another window replaced it, shows the old text in a new document. */
async function openDraft(parts: ShowDraftsParts, { about, draft }: WrittenEntry): Promise<void> {
	if (!parts.connections.byKey(about.connectionKey) || parts.drafts.draft(about)?.text !== draft.text) {
		return showText(draft.text);
	}
	switch (about.kind) {
		case 'comment':
			return parts.writeComment(ticketOf(about));
		case 'editedEntry':
			return parts.openTicket({ ...ticketOf(about), event: about.eventId });
		case 'editedComment':
			return parts.openTicket({ ...ticketOf(about), event: undefined });
		case 'ticketText':
			return parts.editTicket(ticketOf(about));
		case 'newTicket':
		case 'description':
		case 'listDescription':
		case 'repositoryDescription':
		case 'mail':
			await parts.documents.open(about);
			break;
		case 'review': {
			const typed = typedCommentOf(about);
			await (typed ? openTyped(parts, about, typed) : parts.documents.open(about));
		}
	}
}

function ticketOf({ connectionKey, ref }: Omit<TicketSubject, 'kind'>): TicketSubject {
	return { kind: 'ticket', connectionKey, ref };
}

async function showText(content: string): Promise<void> {
	const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
	await vscode.window.showTextDocument(document, { preview: false });
}

/** The subject if its draft is a document. */
function documentOf(about: WrittenEntry['about']): DocumentSubject | undefined {
	switch (about.kind) {
		case 'comment':
		case 'ticketText':
		case 'editedEntry':
		case 'editedComment':
			return undefined;
		case 'newTicket':
		case 'description':
		case 'listDescription':
		case 'repositoryDescription':
		case 'review':
		case 'mail':
			return about;
	}
}

/** Reference to a comment that the user typed in a patch and never added. */
type TypedComment = Pick<DraftComment, 'id' | 'place'>;

/** The typed comment of a draft that the user never added; no review sends it as it is. */
function typedCommentOf(about: DraftSubject): TypedComment | undefined {
	const isTyped = about.kind === 'review' && about.part.kind === 'comment' && isOnlyTyped(about.part);
	return isTyped ? about.part : undefined;
}

/** Opens the typed text and offers to add it. Not awaited: the user may ignore the offer. */
async function openTyped(parts: ShowDraftsParts, about: ReviewSubject, comment: TypedComment): Promise<void> {
	await parts.documents.open(about);
	void offerToAdd(parts, about, comment).catch((error: unknown) => void parts.problems.show(error));
}

async function offerToAdd(parts: ShowDraftsParts, about: ReviewSubject, comment: TypedComment): Promise<void> {
	const { drafts, documents, clock } = parts;
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
