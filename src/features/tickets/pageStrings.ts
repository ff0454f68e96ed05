import * as vscode from 'vscode';
import type { ResolutionChoice, TicketPageStrings } from '../../protocol/ticketProtocol.ts';
import type { MarkdownWords } from '../../text/markdown.ts';
import { offeredResolutions, resolutionText } from './words.ts';

/** The page's own texts in the editor's language. */
export function pageStrings(): TicketPageStrings {
	return {
		copyReference: vscode.l10n.t('Copy the reference'),
		copied: vscode.l10n.t('Copied'),
		openOnWeb: vscode.l10n.t('Open on the web'),
		labels: vscode.l10n.t('Labels'),
		description: vscode.l10n.t('Description'),
		noDescription: vscode.l10n.t('No description was given.'),
		timeline: vscode.l10n.t('Timeline'),
		newestFirst: vscode.l10n.t('Newest first'),
		oldestFirst: vscode.l10n.t('Oldest first'),
		order: vscode.l10n.t('Order'),
		showOlder: vscode.l10n.t('Show older entries'),
		loading: vscode.l10n.t('Loading…'),
		noEvents: vscode.l10n.t('Nothing has happened yet.'),
		tryAgain: vscode.l10n.t('Try again'),
		yourComment: vscode.l10n.t('Your comment'),
		commentPlaceholder: vscode.l10n.t('Write a comment in Markdown'),
		write: vscode.l10n.t('Write'),
		preview: vscode.l10n.t('Preview'),
		nothingToPreview: vscode.l10n.t('There is nothing to preview.'),
		comment: vscode.l10n.t('Comment'),
		reopen: vscode.l10n.t('Reopen'),
		commentAndReopen: vscode.l10n.t('Comment and reopen'),
		chooseResolution: vscode.l10n.t('Choose a resolution'),
		commentEmpty: vscode.l10n.t('Write something first.'),
		commentTooShort: vscode.l10n.t('A comment needs at least 3 characters.'),
		commentTooLong: vscode.l10n.t('A comment may have at most 16384 characters.'),
		sending: vscode.l10n.t('Sending…'),
		sent: vscode.l10n.t('The forge has it.'),
		draftSaved: vscode.l10n.t('Draft saved'),
		sendKeys: vscode.l10n.t('Ctrl+Enter sends'),
		hiddenCharacter: vscode.l10n.t('Hidden character'),
		failedToLoad: vscode.l10n.t('The ticket could not be loaded.'),
	};
}

/** The resolutions that the page offers. */
export function resolutionChoices(): readonly ResolutionChoice[] {
	return offeredResolutions.map((word) => {
		const text = resolutionText(word);
		return {
			word,
			text,
			resolve: vscode.l10n.t('Resolve as {0}', text),
			commentAndResolve: vscode.l10n.t('Comment and resolve as {0}', text),
		};
	});
}

/** Words in rendered Markdown. */
export function markdownWords(): MarkdownWords {
	return {
		image: vscode.l10n.t('Picture'),
		taskDone: vscode.l10n.t('Done'),
		taskOpen: vscode.l10n.t('To do'),
	};
}
