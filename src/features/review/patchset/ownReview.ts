import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { lineOfSide } from 'patchmail/review/carriedThreads.ts';
import { outcomeCounts, type CommentOutcome } from 'patchmail/review/commentOutcomes.ts';
import type { CommentPlace } from 'patchmail/review/reviewComment.ts';
import type { DraftComment, DraftPlace, MovedFrom } from 'patchmail/review/reviewDraft.ts';
import { isOnlyTyped } from 'patchmail/review/typedDraft.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import { shortLine, visibleLine, visibleText } from '../../../engine/text/visible.ts';
import type {
	OutcomeView,
	OwnDraftsView,
	OwnReviewView,
	PatchsetProtocol,
} from '../../../pages/protocol/patchsetProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { settleMoves } from '../../../store/drafts/movedDrafts.ts';
import { reviewDraft, reviewSubject, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { commentPlaceText } from '../../lists/reviewState/commentGroups.ts';
import { draftCountTexts, isReviewQueued } from '../../lists/reviewState/draftCounts.ts';
import { changedLines, outcomesText, outcomeText } from '../../lists/reviewState/outcomeTexts.ts';
import { firstLineOf } from '../../lists/reviewState/reviewWords.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { draftOffers, isMovable, type DraftsOffer, type OfferedDraft } from '../versions/draftOffers.ts';
import { isSameList } from './samePatchset.ts';
import { openOutcome, ownComments, type OwnComments } from '../versions/ownComments.ts';

/** Only abuse makes more. */
const mostRows = 200;

const longestText = 120;
const longestLine = 200;
const mostLines = 12;

/** The reader's comments and drafts on earlier versions, for the page of a patchset. Found after the page is shown. */
export function ownReview(
	parts: ListsContext,
	subject: PatchsetSubject,
	link: PageLink<PatchsetProtocol>,
	changed: () => void,
) {
	const { connections, drafts, draftCounts, clock } = parts;
	let comments: OwnComments | undefined;
	let offers: readonly DraftsOffer[] = [];
	let finds = 0;
	let isShown = false;

	function movedDrafts(): readonly (DraftComment & { readonly moved: MovedFrom })[] {
		return draftCounts.of(subject).comments === 0
			? []
			: reviewDraft(drafts, subject).comments.flatMap((draft) =>
					draft.moved && !isOnlyTyped(draft) ? [{ ...draft, moved: draft.moved }] : [],
				);
	}

	function seriesHere(): SeriesReading | undefined {
		return connections.byKey(subject.connectionKey)?.reviews.known(subject.ref)?.series;
	}

	function movedViews(): readonly OwnDraftsView[] {
		const series = seriesHere();
		return Array.from(
			Map.groupBy(movedDrafts(), ({ moved }) => moved.version),
			([version, of]): OwnDraftsView => ({
				key: `from ${version}`,
				title: vscode.l10n.t('Draft comments from v{0}: {1}', version, of.length),
				rows: of.slice(0, mostRows).map((draft) => ({
					...draftView(draft, series, draft.place),
					state: draft.moved.isChanged
						? vscode.l10n.t('these lines changed')
						: 'line' in draft.place
							? vscode.l10n.t('same lines')
							: '',
					lines: draft.moved.isChanged ? shownLines(draft.moved.lines) : [],
				})),
				move: { action: 'moveDraftsBack', text: vscode.l10n.t('Move Back to v{0}', version) },
			}),
		);
	}

	/** Never rejects: the page is complete without them. */
	async function find(connection: Connection, review: PatchsetReview): Promise<void> {
		finds += 1;
		const own = finds;
		try {
			await settleMoves(drafts, clock.nowMs());
			const found = await ownComments(parts, connection, review, link.signal);
			const offered = await draftOffers(parts, connection, review, link.signal);
			if (own === finds) {
				const isAny = found ?? comments ?? [...offered, ...offers][0];
				[comments, offers] = [found, offered];
				if (isAny) {
					changed();
				}
			}
		} catch (error) {
			if (!isAbort(error)) {
				parts.problems.log(error);
			}
		}
	}

	link.owned.add(
		draftCounts.onDidChange(({ connectionKey, ref }) => {
			const connection = connections.byKey(subject.connectionKey);
			const review = connection?.reviews.known(subject.ref);
			const isVersion = review?.versions.some(({ patchset }) => patchset.id === ref.id) === true;
			if (
				connection &&
				review &&
				isVersion &&
				connectionKey === connection.key &&
				isSameList(ref.list, subject.ref.list)
			) {
				void find(connection, review);
			}
		}),
	);
	const { mailOutbox } = connections.byKey(subject.connectionKey) ?? {};
	if (mailOutbox) {
		link.owned.add(mailOutbox.onDidChange(changed));
	}

	return {
		find,
		/** A sentence about the unsent parts of the review; empty without any. */
		unsent(): string {
			const connection = connections.byKey(subject.connectionKey);
			const isQueued = connection !== undefined && isReviewQueued(connection, subject.ref);
			const texts = draftCountTexts(draftCounts.of(subject)).join(', ');
			if (texts === '') {
				return '';
			}
			return isQueued
				? vscode.l10n.t('Your review is in the outbox: {0}.', texts)
				: vscode.l10n.t('Your review is not sent: {0}.', texts);
		},
		/** `undefined` until there is any. */
		view(): OwnReviewView | undefined {
			const view = {
				comments:
					comments && comments.outcomes.length > 0
						? {
								title: outcomesText(comments.earlier.patchset.version, outcomeCounts(comments.outcomes)),
								rows: comments.outcomes.slice(0, mostRows).map((each) => outcomeView(each, comments?.later.series)),
							}
						: undefined,
				drafts: [...offers.map(offerView), ...movedViews()],
			};
			isShown ||= view.comments !== undefined || view.drafts.length > 0;
			return isShown ? view : undefined;
		},
		async openComment({ mail, comment }: { readonly mail: number; readonly comment: number }): Promise<void> {
			const outcome = comments?.outcomes.find(
				(each) => each.comment.mail.id === mail && each.comment.index === comment,
			);
			if (outcome && comments) {
				await openOutcome(outcome, { ...subject, ref: comments.later.ref });
			}
		},
		async openDraft(id: string): Promise<void> {
			const { connectionKey } = subject;
			for (const { earlier, later, drafts: offered } of offers) {
				const found = offered.find(({ draft }) => draft.id === id);
				if (found) {
					const { fate, draft } = found;
					const isThere = fate.kind !== 'lost';
					const { ref, series } = isThere ? later : earlier;
					return openDraft({ connectionKey, ref: earlier.ref }, draft, ref, series, isThere ? fate.place : draft.place);
				}
			}
			const moved = movedDrafts().find((draft) => draft.id === id);
			const series = seriesHere();
			if (moved && series) {
				await openDraft(subject, moved, subject.ref, series, moved.place);
			}
		},
	};

	/** A place in a file opens in the diff, any other as the text of the draft. */
	async function openDraft(
		of: Reviewed,
		draft: DraftComment,
		ref: Reviewed['ref'],
		series: SeriesReading,
		place: DraftPlace,
	): Promise<void> {
		const patch = series.patches.find(({ mail }) => mail.messageId === place.messageId);
		if (!patch || (place.kind !== 'lines' && place.kind !== 'file')) {
			await parts.mailDrafts.open(reviewSubject(of, { kind: 'comment', id: draft.id, place: draft.place }));
			return;
		}
		const at = place.kind === 'lines' ? lineOfSide(patch, place)?.start : undefined;
		await vscode.commands.executeCommand('forge.patchsets.openDiff', {
			kind: 'patchFile',
			connectionKey: of.connectionKey,
			list: ref.list,
			patchsetId: ref.id,
			mailId: patch.mail.id,
			fileIndex: place.file,
			...(at === undefined ? {} : { at }),
		});
	}
}

function outcomeView(outcome: CommentOutcome, later: SeriesReading | undefined): OutcomeView {
	const { comment, at, hunk, answer } = outcome;
	return {
		mailId: comment.mail.id,
		index: comment.index,
		text: firstLineOf(comment),
		place: at ? visibleLine(commentPlaceText(at, later?.patches ?? [])) : '',
		outcome: outcomeText(outcome),
		hunk: shownLines(changedLines(hunk, mostLines)),
		reply: answer && { mailId: answer.mail.id, text: firstLineOf(answer) },
	};
}

function offerView({ earlier, later, drafts }: DraftsOffer): OwnDraftsView {
	const [from, to] = [earlier.patchset.version, later.patchset.version];
	return {
		key: `on ${earlier.ref.id}`,
		title: vscode.l10n.t('Your draft comments on v{0}: {1}', from, drafts.length),
		rows: drafts.slice(0, mostRows).map((offered) => {
			const { draft, fate, lines } = offered;
			const isThere = fate.kind !== 'lost';
			return {
				...draftView(draft, isThere ? later.series : earlier.series, isThere ? fate.place : draft.place),
				state: offerText(offered, to),
				lines: fate.kind === 'same' ? [] : shownLines(lines.slice(-mostLines)),
			};
		}),
		move: drafts.some(isMovable) ? { action: 'moveDrafts', text: vscode.l10n.t('Move to v{0}', to) } : undefined,
	};
}

function offerText({ fate, hold }: OfferedDraft, to: number): string {
	switch (hold) {
		case 'sending':
			return vscode.l10n.t('stays: the review is being sent');
		case 'edited':
			return vscode.l10n.t('stays: you edited its message');
		case 'typed':
			return vscode.l10n.t('stays: it has an unfinished edit');
		case undefined:
	}
	switch (fate.kind) {
		case 'same':
			return 'line' in fate.place ? vscode.l10n.t('same lines in v{0}', to) : vscode.l10n.t('can move to v{0}', to);
		case 'changed':
			return vscode.l10n.t('these lines changed in v{0}', to);
		case 'lost':
			return vscode.l10n.t('stays: v{0} does not show these lines', to);
	}
}

function draftView({ id, text }: DraftComment, series: SeriesReading | undefined, place: DraftPlace) {
	const first = text.split('\n').find((line) => line.trim() !== '') ?? vscode.l10n.t('Suggested change');
	return { id, text: shortLine(visibleLine(first), longestText), place: series ? draftPlaceText(place, series) : '' };
}

function draftPlaceText(place: DraftPlace, { patches }: SeriesReading): string {
	const mailId = patches.find(({ mail }) => mail.messageId === place.messageId)?.mail.id;
	if (mailId === undefined) {
		return '';
	}
	const textOf = (of: CommentPlace): string => visibleLine(commentPlaceText(of, patches));
	switch (place.kind) {
		case 'lines': {
			const { file, side, line, firstLine } = place;
			return textOf({ kind: 'line', mailId, file, hunk: 0, side, line, firstLine, start: 0, end: 0 });
		}
		case 'file':
			return textOf({ kind: 'file', mailId, file: place.file });
		case 'text':
			return place.part === 'text' ? '' : textOf({ kind: place.part, mailId, line: place.line });
		case 'mail':
			return '';
	}
}

/** Keeps indentation. */
function shownLines(lines: readonly string[]): readonly string[] {
	return lines.map((line) => {
		const shown = visibleText(line);
		return shown.length > longestLine ? `${shown.slice(0, longestLine).toWellFormed()}…` : shown;
	});
}
