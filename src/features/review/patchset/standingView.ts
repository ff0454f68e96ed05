import * as vscode from 'vscode';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview, ReviewFailure, StatusSuggestion } from '../../../store/lists/patchsets/patchsetReview.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { NamedTicketView, StandingView, SuggestionView } from '../../../pages/protocol/patchsetProtocol.ts';
import type { NamedTicket, SeriesProblem } from 'patchmail/series/seriesReading.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { mailContent } from '../../lists/mail/mailBlocks.ts';
import { cautionsOf } from '../../lists/mail/mailCautions.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { fixupAdvice, leftOutAdvice, seriesProblemText } from '../../lists/subjects/problemTexts.ts';
import { suggestionText } from '../../lists/status/suggestStatus.ts';
import { versionLinkText } from '../../lists/subjects/versionLinkText.ts';
import { hasStatus, statusLook, statusOf, titleText } from '../../lists/subjects/words.ts';
import type { AppliedPatchset } from '../../patches/apply/savedApplied.ts';
import { eventViews } from './eventViews.ts';
import { sentBy } from './patchView.ts';
import { trailersView } from './trailersView.ts';
import { viewedCount, viewedText } from '../../lists/reviewState/viewedFiles.ts';
import { pullView } from '../../lists/mail/pullView.ts';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Maximum rows per section. Only abuse makes more. */
const mostRows = 500;

/**
 * View of a series. The page receives its patches separately. `reviewedId`: id of the last earlier version that the
 * reader reviewed, if known. `records`: as for `eventViews`.
 */
export function standingView(
	parts: ListsContext,
	connection: Connection,
	standing: PatchsetReview,
	reviewedId: number | undefined,
	records: readonly AppliedPatchset[],
): StandingView {
	const { ref, series, versions, suggestions, trailers, tickets, pullRequest, threadId } = standing;
	const { cover } = series;
	const applied = parts.appliedCommits.of({ kind: 'patchset', connectionKey: connection.key, ref });
	const patches = series.patches.map(({ patch }) => patch);
	const count = connection.lists.versionsLeftOut(ref.list, threadId);
	const leftOut = {
		problem:
			count === 1
				? vscode.l10n.t('1 older version in this thread is not listed.')
				: vscode.l10n.t('{0} older versions in this thread are not listed.', count),
		advice: vscode.l10n.t('Open the thread to read the older messages.'),
		mailId: threadId,
	};
	return {
		versions: versions.map((version) => ({
			id: version.patchset.id,
			version: `v${version.patchset.version}`,
			title: titleText(version.patchset),
			status: statusOf(version.patchset).text,
			isThis: version.patchset.id === ref.id,
			isReviewed: version.patchset.id === reviewedId,
			link: versionLinkText(version),
		})),
		suggestions: hasStatus(standing.patchset) ? suggestions.map(suggestionView) : [],
		health: [
			...series.problems.slice(0, mostRows).map((problem) => ({
				problem: seriesProblemText(problem),
				advice: problemAdvice(problem),
				mailId: 'mailId' in problem ? problem.mailId : undefined,
			})),
			...(count === 0 ? [] : [leftOut]),
		],
		pull: pullRequest && pullView(pullRequest, parts.connections),
		cover: cover && {
			mailId: cover.id,
			content: mailContent(sentBy(cover), cover.reading, { web: webOf(connection.instance) }),
		},
		summary: summaryText(standing),
		added: series.stat.added,
		removed: series.stat.removed,
		files: series.stat.files,
		viewed: viewedText(viewedCount(connection, patches)),
		trailers: trailersView(trailers.slice(0, mostRows), series.patches.length),
		events: eventViews(connection, standing, records, applied),
		isPushed: applied?.pushed !== undefined,
		tickets: ticketViews(connection, tickets),
		cautions: cover ? cautionsOf(sentBy(cover), cover.reading) : [],
		failures: standing.failures.map((failure) => failureText(failure, parts)),
	};
}

function failureText({ part, error, readAtMs }: ReviewFailure, { problems, clock }: ListsContext): string {
	if (readAtMs !== undefined) {
		return readBeforeText(error, agoText(readAtMs, clock.nowMs(), 'long'));
	}
	const reason = problems.explain(error).message;
	switch (part) {
		case 'thread':
			return vscode.l10n.t('The thread could not be loaded, and its replies are missing here. {0}', reason);
		case 'mails':
			return vscode.l10n.t('Some messages could not be loaded and are missing here. {0}', reason);
		case 'versions':
			return vscode.l10n.t('Other versions could not be searched for. {0}', reason);
		case 'earlierReplies':
			return vscode.l10n.t(
				'Replies to earlier versions could not be loaded, and their trailers are missing here. {0}',
				reason,
			);
	}
}

function suggestionView(suggestion: StatusSuggestion): SuggestionView {
	const { title, evidence, quote } = suggestionText(suggestion);
	const isVersion = suggestion.kind === 'superseded';
	return {
		word: spelled(suggestion.status),
		title,
		evidence,
		quote,
		action: vscode.l10n.t('Set to {0}', statusLook(suggestion.status).text),
		mailId: isVersion ? undefined : suggestion.mail.id,
		patchsetId: isVersion ? suggestion.by.id : undefined,
	};
}

/** Author and size of a series, with or without a cover letter. */
function summaryText({ series, patchset }: PatchsetReview): string {
	const { stat, patches } = series;
	const [first] = patches;
	const name = visibleLine(first?.patch.author?.name ?? '') || visibleLine(first?.patch.author?.address ?? '');
	const what = [
		patches.length === 1 ? vscode.l10n.t('1 patch') : vscode.l10n.t('{0} patches', patches.length),
		stat.files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', stat.files),
	].join(', ');
	return `${name === '' ? titleText(patchset) : name}: ${what}.`;
}

/** Each ticket once, tickets from trailers first. */
function ticketViews(connection: Connection, tickets: readonly NamedTicket[]): readonly NamedTicketView[] {
	const views = new Map<string, NamedTicketView>();
	for (const ticket of tickets.toSorted((a, b) => Number(b.trailer !== undefined) - Number(a.trailer !== undefined))) {
		const { owner, name, id, trailer } = ticket;
		const tracker = owner !== undefined && name !== undefined ? { owner, name } : undefined;
		const known = tracker && connection.tickets.knownTicket({ tracker, id });
		const view = {
			text: visibleLine(`${owner === undefined ? '' : `${owner}/`}${name ?? ''}#${id}`),
			href: tracker && webOf(connection.instance).address({ kind: 'ticket', ref: { tracker, id } }),
			title: visibleLine(known?.title ?? ''),
			trailer: visibleLine(trailer ?? ''),
		};
		if (!views.has(view.text) && views.size < mostRows) {
			views.set(view.text, view);
		}
	}
	return Array.from(views.values());
}

/** Advice on a series problem, in a sentence. */
export function problemAdvice(problem: SeriesProblem): string {
	switch (problem.kind) {
		case 'missingParts':
			return problem.indexes.length === 1
				? vscode.l10n.t('Ask the sender for it, or wait: the series cannot be applied as a whole without it.')
				: vscode.l10n.t('Ask the sender for them, or wait: the series cannot be applied as a whole without them.');
		case 'repeatedPart':
			return problem.isLast
				? vscode.l10n.t('The last one sent is used here. Open the thread to read the others.')
				: vscode.l10n.t('The first one received is used here. Ask the sender which one is right.');
		case 'leftOut':
			return leftOutAdvice();
		case 'keptPatches':
			return vscode.l10n.t('They are shown, applied and saved with this version. No action needed.');
		case 'fixup':
			return fixupAdvice();
		case 'wrongOrder':
			return vscode.l10n.t('They are shown and saved by number. No action needed.');
		case 'lostBytes':
			return vscode.l10n.t('It may not apply. Ask the sender to send it as quoted-printable or base64.');
		case 'noPrefix':
			return vscode.l10n.t('Apply Patchset… passes this option. In a shell, run git am -3 -p0.');
		case 'wrappedLines':
		case 'damaged':
			return vscode.l10n.t('The patch cannot be applied. Ask the sender to send it with git send-email.');
		case 'shownRaw':
			return problem.index === 0
				? vscode.l10n.t('View the raw message to read it.')
				: vscode.l10n.t(
						'Git may apply a patch from it that is not shown here. View the raw patch, or ask the sender to send it with git send-email.',
					);
		case 'rawReply':
			return vscode.l10n.t('Open the reply in its thread to read it.');
		case 'flowed':
			return vscode.l10n.t('If it does not apply, ask the sender to send it with git send-email.');
		case 'inDoubt':
			return vscode.l10n.t(
				'Read what git would apply before you apply it, or ask the sender to send it with git send-email.',
			);
		case 'noDiff':
			return vscode.l10n.t('There is nothing to apply. View the raw message, or ask the sender for the patch.');
		case 'wrongPrefix':
			return vscode.l10n.t('Tell the sender, so that tools that rely on the subject find the series.');
		case 'attachedPatch':
			return vscode.l10n.t('It is shown here and saved with the others, but the pages of the forge do not show it.');
		default:
			return assertNever(problem);
	}
}
