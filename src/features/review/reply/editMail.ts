import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify, offer, tellBriefly } from '../../../editor/ask/notify.ts';
import { mailLanguage } from '../../../editor/documents/mailDrafts.ts';
import { isUnchanged, type MailEdit } from 'patchmail/review/reviewDraft.ts';
import type { ReviewReply } from 'patchmail/review/reviewReplies.ts';
import type { ReviewSubject } from '../../../store/drafts/drafts.ts';
import {
	forgetWholeOf,
	keepMailEdit,
	reviewDraft,
	reviewSubject,
	type Reviewed,
} from '../../../store/drafts/reviewDrafts.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import { madeMailUri } from '../../lists/subjects/reviewUri.ts';
import type { ReplyContext, WrittenReview } from './readReview.ts';
import { editedFaultText, recipientsText } from '../../lists/send/sendWords.ts';

/** Opens a mail of a review as editable document; asks if there are several. */
export async function editMail(parts: ReplyContext, of: Reviewed, { rendered }: WrittenReview): Promise<void> {
	const { replies } = rendered;
	const [only] = replies;
	if (!only) {
		void notify('information', vscode.l10n.t('No message to edit: no draft comments and no trailer yet.'));
		return;
	}
	const reply =
		replies.length === 1
			? only
			: await choose(
					vscode.l10n.t('Choose a message to edit'),
					replies.map((reply): Choice<ReviewReply> => {
						const edited = reply.edit ? { description: vscode.l10n.t('edited') } : {};
						const { subject } = reply.mail;
						return { label: visibleLine(subject), ...edited, detail: recipientsText([reply.mail]), value: reply };
					}),
				);
	if (reply.edit?.kind === 'outdated') {
		await chooseText(parts, of, reply);
	}
	await openReply(parts, of, reply);
}

async function openReply(parts: ReplyContext, of: Reviewed, { answered, madeFrom }: ReviewReply): Promise<void> {
	const { messageId } = answered;
	const edit = editNow(parts, of, messageId);
	if (!edit || edit.text.trim() === '' || isUnchanged(edit)) {
		// An unchanged text starts again from the current comments.
		await (edit && edit.text !== madeFrom.text ? forgetEdit(parts, of, messageId) : undefined);
		await keepMailEdit(parts.drafts, of, messageId, { text: madeFrom.text, madeFrom }, parts.clock.nowMs());
	}
	await parts.mailDrafts.open(mailSubject(of, messageId));
}

/** Document of the reply to this mail. */
function mailSubject(of: Reviewed, messageId: string): ReviewSubject {
	return reviewSubject(of, { kind: 'mail', messageId });
}

/** Includes typed text that the draft store lacks yet. */
function editNow({ drafts, mailDrafts }: ReplyContext, of: Reviewed, messageId: string): MailEdit | undefined {
	const edit = reviewDraft(drafts, of).edits.get(messageId);
	return edit && { ...edit, text: mailDrafts.textOf(mailSubject(of, messageId)) ?? edit.text };
}

/**
 * Checks that each edited mail is valid and matches the comments. Returns true after a change, so that the caller
 * reloads the review. Throws `cancelled()` if the user has to act first.
 */
export async function settleEdits(parts: ReplyContext, of: Reviewed, { draft, rendered }: WrittenReview) {
	const { replies } = rendered;
	const broken = replies.find(({ edit }) => edit?.kind === 'broken');
	if (broken?.edit?.kind === 'broken') {
		const { subject } = broken.mail;
		const why = vscode.l10n.t(
			'The edited message "{0}" can\'t be sent. {1}',
			shortLine(visibleLine(subject), 120),
			editedFaultText(broken.edit.fault),
		);
		void offer('warning', why, vscode.l10n.t('Edit Message'), () =>
			openReply(parts, of, broken).catch((error: unknown) => parts.problems.show(error)),
		);
		throw cancelled();
	}
	const outdated = replies.find(({ edit }) => edit?.kind === 'outdated');
	if (outdated) {
		await chooseText(parts, of, outdated);
		return true;
	}
	const unchanged = [...draft.edits].flatMap(([messageId, edit]) => (isUnchanged(edit) ? [messageId] : []));
	for (const messageId of unchanged) {
		const edit = editNow(parts, of, messageId);
		if (edit && isUnchanged(edit)) {
			// Close the document: it may differ from the mail, which now has the current comments.
			await forgetEdit(parts, of, messageId);
		}
	}
	return unchanged.length > 0;
}

/** Asks which text a mail gets. Throws `cancelled()` without a choice. */
async function chooseText(parts: ReplyContext, of: Reviewed, reply: ReviewReply): Promise<void> {
	const { messageId } = reply.answered;
	const what = await choose<'mine' | 'made' | 'both'>(
		vscode.l10n.t(
			'The comments or recipients of "{0}" changed since you edited it',
			shortLine(visibleLine(reply.mail.subject), 120),
		),
		[
			{
				label: vscode.l10n.t('Keep My Text'),
				detail: vscode.l10n.t('Comments that you wrote since are not in it; they stay drafts.'),
				value: 'mine',
			},
			{
				label: vscode.l10n.t('Make It New'),
				detail: vscode.l10n.t('From all comments as they are now. Your text opens as an unsaved document.'),
				value: 'made',
			},
			{
				label: vscode.l10n.t('Compare'),
				detail: vscode.l10n.t('Shows both, to take over what you want.'),
				value: 'both',
			},
		],
	);
	switch (what) {
		case 'mine': {
			// The text replaces its source comments, not later ones.
			const edit = editNow(parts, of, messageId);
			if (edit) {
				const { comments = [], trailer } = edit.madeFrom ?? {};
				const madeFrom = { text: reply.madeFrom.text, comments, trailer };
				await keepMailEdit(parts.drafts, of, messageId, { text: edit.text, madeFrom }, parts.clock.nowMs());
			}
			return;
		}
		case 'made': {
			// Repeats until the shown text is current: typing continues while the editor opens a document.
			let shown = '';
			for (
				let text = editNow(parts, of, messageId)?.text ?? '';
				text.trim() !== '' && text !== shown;
				text = editNow(parts, of, messageId)?.text ?? ''
			) {
				const document = await vscode.workspace.openTextDocument({ language: mailLanguage, content: text });
				await showDocument(document, { preview: false });
				tellBriefly(vscode.l10n.t('Your text is in an unsaved document'));
				shown = text;
			}
			await forgetEdit(parts, of, messageId);
			return;
		}
		case 'both':
			await parts.mailDrafts.openBeside(mailSubject(of, messageId), {
				original: madeMailUri(of, messageId),
				title: vscode.l10n.t('Message as made now ↔ as you edited it'),
			});
			throw cancelled();
	}
}

/** Restores the mail made from the comments. */
async function forgetEdit({ drafts, mailDrafts }: ReplyContext, of: Reviewed, messageId: string): Promise<void> {
	const about = mailSubject(of, messageId);
	await forgetWholeOf(drafts, about);
	await mailDrafts.finish(about);
}
