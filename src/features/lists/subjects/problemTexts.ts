import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { RawReason } from 'patchmail/mail/readableMail.ts';
import { damageReason } from '../../../editor/patchDocuments/fileWords.ts';
import type { SeriesProblem, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { rangesText } from '../../../engine/text/rangesText.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';

/** Maximum length of a quoted line in a sentence. */
const longestQuote = 80;

/** Problem of a series as a sentence for its sender. Hidden characters are escaped. */
export function seriesProblemText(problem: SeriesProblem): string {
	switch (problem.kind) {
		case 'missingParts':
			return problem.indexes.length === 1
				? vscode.l10n.t('Patch {0} of {1} is missing.', problem.indexes[0] ?? 0, problem.count)
				: vscode.l10n.t('Patches {0} of {1} are missing.', rangesText(problem.indexes), problem.count);
		case 'repeatedPart':
			return vscode.l10n.t('Patch {0} came more than once.', problem.index);
		case 'leftOut':
			return problem.count === 1
				? vscode.l10n.t('The thread has 1 more patch of the sender.')
				: vscode.l10n.t('The thread has {0} more patches of the sender.', problem.count);
		case 'keptPatches':
			return problem.indexes.length === 1
				? vscode.l10n.t(
						'Patch {0} is from v{1}. This version did not send it again.',
						problem.indexes[0] ?? 0,
						problem.version,
					)
				: vscode.l10n.t(
						'Patches {0} are from v{1}. This version did not send them again.',
						rangesText(problem.indexes),
						problem.version,
					);
		case 'fixup':
			return vscode.l10n.t('Patch {0} is a fixup of another patch.', problem.index);
		case 'wrongOrder':
			return vscode.l10n.t('Messages arrived out of order.');
		case 'wrappedLines':
			return vscode.l10n.t(
				'An email program wrapped long lines of the patch: "{0}".',
				shortLine(problem.line, longestQuote),
			);
		case 'damaged':
			return problem.path === undefined
				? vscode.l10n.t('A diff is damaged: {0}.', damageReason(problem.damage))
				: vscode.l10n.t(
						'The diff of {0} is damaged: {1}.',
						shortLine(problem.path, longestQuote),
						damageReason(problem.damage),
					);
		case 'lostBytes':
			return vscode.l10n.t(
				'The forge lost characters of a patch: it stored the message as UTF-8, and the message is not.',
			);
		case 'noPrefix':
			return vscode.l10n.t('The names in a patch have no a/ and b/. Git applies it with the option -p0.');
		case 'shownRaw':
			return problem.index === 0
				? vscode.l10n.t('The cover letter is shown as raw text.')
				: shownRawText(problem.index, problem.reason);
		case 'rawReply':
			return vscode.l10n.t('A reply is shown as raw text: its trailers are not read.');
		case 'flowed':
			return vscode.l10n.t('A message was sent as format=flowed, which may have changed spaces in the patch.');
		case 'inDoubt':
			return problem.isOtherPatch
				? vscode.l10n.t('Git reads a message differently: what it would apply is not the patch shown here.')
				: vscode.l10n.t('Programs may read a message differently: git may apply something other than what is shown.');
		case 'noDiff':
			return vscode.l10n.t('A patch contains no diff.');
		case 'wrongPrefix':
			return problem.usual === undefined
				? vscode.l10n.t(
						'The words in the brackets of the subject are in the wrong order: {0}.',
						visibleLine(problem.written),
					)
				: vscode.l10n.t(
						'The subject has "{0}", but patches for this list use "{1}".',
						visibleLine(problem.written),
						visibleLine(problem.usual),
					);
		case 'attachedPatch':
			return vscode.l10n.t('A patch came as an attachment, which the forge does not show.');
		default:
			return assertNever(problem);
	}
}

/** The sentence about missing patches; `undefined` if all are there. */
export function missingText(problems: readonly SeriesProblem[]): string | undefined {
	const missing = problems.find(({ kind }) => kind === 'missingParts');
	return missing && seriesProblemText(missing);
}

/** Advice on `fixup!` patches. */
export function fixupAdvice(): string {
	return vscode.l10n.t('It would become a commit of its own. Ask the sender for patches without fixups.');
}

/** Where a patchset of the client is from, in a few words; empty for one of the forge. */
export function formedText({ formed }: Patchset): string {
	if (!formed) {
		return '';
	}
	if (formed.isByOther) {
		return vscode.l10n.t('by someone else');
	}
	return formed.repeatedById === undefined ? vscode.l10n.t('came as a reply') : vscode.l10n.t('sent again later');
}

/** Advice on patches that are in no patchset. */
export function leftOutAdvice(): string {
	return vscode.l10n.t('They are not part of this patchset and are not applied. Open the thread to read them.');
}

function shownRawText(index: number, reason: RawReason): string {
	switch (reason) {
		case 'tooLarge':
			return vscode.l10n.t('Patch {0} is shown as raw text: it is larger than 1 MB.', index);
		case 'tooSlow':
			return vscode.l10n.t('Patch {0} is shown as raw text: it took too long to parse.', index);
		case 'unreadable':
			return vscode.l10n.t('Patch {0} is shown as raw text: it could not be parsed.', index);
		case 'noPlainText':
			return vscode.l10n.t('Patch {0} is shown as raw text: it came as HTML only.', index);
		default:
			return assertNever(reason);
	}
}

/** Numbers of unread patches as text; `undefined` if all are read. */
export function unreadPatches({ problems }: SeriesReading): string | undefined {
	const unread = problems.flatMap((problem) =>
		problem.kind === 'shownRaw' && problem.index > 0 ? [String(problem.index)] : [],
	);
	return unread.length === 0 ? undefined : new Intl.ListFormat(vscode.env.language).format(unread);
}
