import * as vscode from 'vscode';
import { assertNever } from '../../../base/assertNever.ts';
import type { SeriesMail } from '../../../engine/series/seriesReading.ts';
import type { VersionLink } from '../../../engine/series/versions.ts';
import type { StatusSuggestion } from '../../../store/lists/review/patchsetReview.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import { statusLook } from '../subjects/words.ts';

/** Maximum characters of a quote. */
const longestQuote = 120;

/** A suggested status and its evidence. Hidden characters are visible. */
export interface SuggestionText {
	/** `Superseded by v3` */
	readonly title: string;
	/** The reason, in a sentence. */
	readonly evidence: string;
	/** Quote that supports the sentence; may be empty. */
	readonly quote: string;
}

export function suggestionText(suggestion: StatusSuggestion): SuggestionText {
	switch (suggestion.kind) {
		case 'superseded': {
			const { by, link } = suggestion;
			return {
				title: vscode.l10n.t('Superseded by v{0}', by.version),
				evidence: versionEvidence(link, by.version),
				quote: shortLine(by.subject, longestQuote),
			};
		}
		case 'approvedInThread':
		case 'appliedInThread':
		case 'revisionAskedInThread':
			return { ...fromMail(suggestion.mail, suggestion.quote), title: statusLook(suggestion.status).text };
		default:
			return assertNever(suggestion);
	}
}

function versionEvidence(link: VersionLink, version: number): string {
	switch (link) {
		case 'forge':
			return vscode.l10n.t('The forge names version {0} as its successor.', version);
		case 'thread':
			return vscode.l10n.t('Version {0} came as a reply in the same thread.', version);
		case 'stated':
		case 'claimed':
			return vscode.l10n.t('A cover letter states that version {0} is its successor.', version);
		case 'subject':
			return vscode.l10n.t('Version {0} has the same subject, prefix and sender.', version);
		case 'byHand':
			return vscode.l10n.t('You linked version {0} to it.', version);
	}
}

function fromMail({ account, reading, createdMs }: SeriesMail, quote: string): Omit<SuggestionText, 'title'> {
	const from = reading.kind === 'read' ? reading.mail.from[0] : undefined;
	const who = account ?? from?.address ?? '';
	return {
		evidence: vscode.l10n.t('{0} wrote on {1}:', visibleLine(who), fullTime(createdMs, vscode.env.language)),
		quote: shortLine(quote, longestQuote),
	};
}
