import { statusLook, personText } from '../../lists/subjects/words.ts';
import { mailText } from 'patchmail/mail/outgoingMail.ts';

import type { ReviewStatus, WrittenReview } from './readReview.ts';
import * as vscode from 'vscode';
import { visibleLine, shortLine } from '../../../engine/text/visible.ts';
import { mailsText, editedFaultText } from '../../lists/send/sendWords.ts';

const longestReason = 200;

/** Effect on the review's status. */
export function statusText({ word, way }: ReviewStatus): string {
	const { text } = statusLook(word);
	return way === 'api'
		? vscode.l10n.t('Once all messages are sent, the status is set to {0}.', text)
		: vscode.l10n.t(
				'The last message asks the forge to set the status to {0}, which it does only for who is allowed to.',
				text,
			);
}

/** The same of a review that makes no mails. */
export function statusAloneText({ word, way }: ReviewStatus): string {
	const { text } = statusLook(word);
	return way === 'api'
		? vscode.l10n.t('Sending the review sets the status to {0}.', text)
		: vscode.l10n.t('Setting the status to {0} by email needs a draft comment or a trailer.', text);
}

/** One sentence for each part of a review that its mails lack, with the next step; empty if complete. */
export function notInMailsTexts({ notAdded, rendered, hasUnread }: WrittenReview): readonly string[] {
	const [typed, gone, idle] = [notAdded.length, rendered.lost.length, rendered.idleEdits.length];
	// Replies that failed to load may still exist.
	const [lost, unread] = hasUnread ? [0, gone] : [gone, 0];
	return [
		...(hasUnread ? [unreadText()] : []),
		...(unread === 0
			? []
			: [vscode.l10n.t('Comments on replies that could not be loaded, which are not sent now: {0}.', unread)]),
		...(typed === 1
			? [vscode.l10n.t('1 comment was typed and not added, so it is not sent. Open it from Drafts to add it.')]
			: []),
		...(typed > 1
			? [
					vscode.l10n.t(
						'{0} comments were typed and not added, so they are not sent. Open them from Drafts to add them.',
						typed,
					),
				]
			: []),
		...(lost === 1
			? [vscode.l10n.t('The message that 1 comment is about is gone, so it is not sent. Its text is in Drafts.')]
			: []),
		...(lost > 1
			? [
					vscode.l10n.t(
						'The messages that {0} comments are about are gone, so they are not sent. Their texts are in Drafts.',
						lost,
					),
				]
			: []),
		...(idle === 1
			? [vscode.l10n.t('1 message that you edited has no comments any more, so it is not sent. Its text is in Drafts.')]
			: []),
		...(idle > 1
			? [
					vscode.l10n.t(
						'{0} messages that you edited have no comments any more, so they are not sent. Their texts are in Drafts.',
						idle,
					),
				]
			: []),
	];
}

/** Warnings about comments that belong to another version, with the next step. */
export function movedTexts({ rendered, newer }: WrittenReview): readonly string[] {
	const comments = rendered.replies.flatMap((reply) => reply.comments);
	const changed = comments.filter(({ moved }) => moved?.isChanged === true);
	return [
		...(newer !== undefined && comments.length > 0
			? [
					vscode.l10n.t(
						'v{0} of this patchset is newer. Move Draft Comments to Newest Version moves your comments there.',
						newer,
					),
				]
			: []),
		...(changed.length === 0
			? []
			: [
					vscode.l10n.t(
						'The lines of some comments changed since an earlier version. Check these comments: {0}.',
						changed.length,
					),
				]),
	];
}

/** Preview document of a review. */
export function previewText(written: WrittenReview): string {
	const { patchset, posting, rendered, notAdded, hasUnread, status } = written;
	const { replies, lost, idleEdits } = rendered;
	const subject = visibleLine(patchset.subject);
	const head = [
		...(posting === ''
			? [
					vscode.l10n.t(
						"The email address of this list isn't certain from its messages. Send Review… asks for it before anything is sent.",
					),
				]
			: []),
		replies.length === 0
			? vscode.l10n.t('Review of "{0}": no draft comments and no trailer yet.', subject)
			: vscode.l10n.t('Review of "{0}": {1}, not sent yet.', subject, mailsText(replies.length)),
		...(status ? [replies.length === 0 ? statusAloneText(status) : statusText(status)] : []),
		...movedTexts(written),
		...(hasUnread ? [unreadText()] : []),
		...replies.flatMap(({ leftOut }) =>
			leftOut.length === 0 ? [] : [vscode.l10n.t('No message can be sent to: {0}', leftOut.map(personText).join(', '))],
		),
		...replies.flatMap(({ astray }) =>
			astray.map(({ text }) =>
				vscode.l10n.t('Readers may not see on which line this comment is: {0}', shortLine(text, longestReason)),
			),
		),
		...replies.flatMap(({ edit }, at) => {
			switch (edit?.kind) {
				case 'broken':
					return [
						vscode.l10n.t("Message {0} can't be sent as it was edited. {1}", at + 1, editedFaultText(edit.fault)),
					];
				case 'outdated':
					return [
						vscode.l10n.t(
							'The comments or recipients of message {0} changed since it was edited. Use Edit Message of Review… to choose its text.',
							at + 1,
						),
					];
				case 'taken':
				case undefined:
					return [];
			}
		}),
		...notAdded.map(({ text }) =>
			vscode.l10n.t('Not sent, because it was typed and not added: {0}', shortLine(text, longestReason)),
		),
		...lost.map(({ text }) =>
			hasUnread
				? vscode.l10n.t('Not sent, because its message could not be loaded: {0}', shortLine(text, longestReason))
				: vscode.l10n.t('Not sent, because its message is gone: {0}', shortLine(text, longestReason)),
		),
		...idleEdits.map((text) =>
			vscode.l10n.t('Not sent, because its comments are gone: {0}', shortLine(text, longestReason)),
		),
	];
	const mails = replies.map(({ mail, edit }, at) => {
		const title = edit
			? vscode.l10n.t('---------- Message {0} of {1}, edited ----------', at + 1, replies.length)
			: vscode.l10n.t('---------- Message {0} of {1} ----------', at + 1, replies.length);
		return [title, edit?.kind === 'broken' ? edit.text : mailText(mail)].join('\n');
	});
	return [head.join('\n'), ...mails].join('\n\n');
}

function unreadText(): string {
	return vscode.l10n.t(
		'Not all replies could be loaded, so people who wrote them may be missing in Cc. Try again later.',
	);
}
