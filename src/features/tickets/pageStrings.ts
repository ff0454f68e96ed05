import * as vscode from 'vscode';
import { ticketLimits } from '../../forge/ticketLimits.ts';
import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import type { MarkdownWords } from '../../text/markdown.ts';

/** The page's own texts in the editor's language. */
export function pageStrings(): TicketPageStrings {
	const { shortestComment, longestComment } = ticketLimits;
	return {
		copyReference: vscode.l10n.t('Copy the reference'),
		copied: vscode.l10n.t('Copied'),
		openOnWeb: vscode.l10n.t('Open on the web'),
		editOnWeb: vscode.l10n.t('Edit title and description on the web'),
		assignOnWeb: vscode.l10n.t('Assign on the web'),
		labelsOnWeb: vscode.l10n.t('Manage labels on the web'),
		deleteOnWeb: vscode.l10n.t('Delete on the web'),
		more: vscode.l10n.t('More actions'),
		labels: vscode.l10n.t('Labels'),
		editLabels: vscode.l10n.t('Edit labels'),
		findLabel: vscode.l10n.t('Find a label'),
		noLabels: vscode.l10n.t('No label fits.'),
		save: vscode.l10n.t('Save'),
		cancel: vscode.l10n.t('Cancel'),
		permissions: vscode.l10n.t('Permissions'),
		inherited: vscode.l10n.t('inherited from the tracker'),
		description: vscode.l10n.t('Description'),
		noDescription: vscode.l10n.t('No description was given.'),
		timeline: vscode.l10n.t('Timeline'),
		newestFirst: vscode.l10n.t('Newest first'),
		oldestFirst: vscode.l10n.t('Oldest first'),
		order: vscode.l10n.t('Order'),
		showOlder: vscode.l10n.t('Show older entries'),
		loading: vscode.l10n.t('Loading…'),
		noEvents: vscode.l10n.t('Nothing has happened yet.'),
		fresh: vscode.l10n.t('new'),
		oneFresh: vscode.l10n.t('One new entry'),
		severalFresh: vscode.l10n.t('{0} new entries'),
		tryAgain: vscode.l10n.t('Try again'),
		quote: vscode.l10n.t('Quote'),
		edit: vscode.l10n.t('Edit'),
		editComment: vscode.l10n.t('Edit your comment'),
		editOnTheWeb: vscode.l10n.t('Edit on the web'),
		yourComment: vscode.l10n.t('Your comment'),
		commentPlaceholder: vscode.l10n.t('Write a comment in Markdown'),
		write: vscode.l10n.t('Write'),
		preview: vscode.l10n.t('Preview'),
		nothingToPreview: vscode.l10n.t('There is nothing to preview.'),
		comment: vscode.l10n.t('Comment'),
		chooseMove: vscode.l10n.t('Choose a resolution or a status'),
		commentEmpty: vscode.l10n.t('Write something first.'),
		commentTooShort: vscode.l10n.t('A comment needs at least {0} characters.', shortestComment),
		commentTooLong: vscode.l10n.t('A comment may have at most {0} characters.', longestComment),
		sending: vscode.l10n.t('Sending…'),
		sent: vscode.l10n.t('The forge has it.'),
		sendAgain: vscode.l10n.t('Send again'),
		lookAgain: vscode.l10n.t('Look again'),
		draftSaved: vscode.l10n.t('Draft saved'),
		sendKeys: vscode.l10n.t('Ctrl+Enter sends'),
		suggestions: vscode.l10n.t('Suggestions'),
		failedToLoad: vscode.l10n.t('The ticket could not be loaded.'),
	};
}

/** Words in rendered Markdown. */
export function markdownWords(): MarkdownWords {
	return {
		image: vscode.l10n.t('Picture'),
		taskDone: vscode.l10n.t('Done'),
		taskOpen: vscode.l10n.t('To do'),
	};
}
