import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { reviewTrailers, type ReviewPart, type ReviewTrailer } from '../../../engine/review/reviewDraft.ts';
import { isOnlyTyped } from '../../../engine/review/typedDraft.ts';
import type { DraftEntry, Drafts, ReviewSubject } from '../../../store/drafts/drafts.ts';
import { reviewDraft, reviewSubject, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import { firstMailOfFormed } from '../../../forge/port/list.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { documentInFront, givenSubject, subjectOrInFront } from '../subjects/givenSubject.ts';
import { patchsetTarget, type TargetParts } from '../subjects/listTargets.ts';
import { reviewUri } from '../subjects/reviewUri.ts';
import { draftCountTexts, type DraftCounts } from '../review/draftCounts.ts';
import { editMail } from './editMail.ts';
import { oneSending } from './oneSending.ts';
import { keptSending } from './readReview.ts';
import { readAddressed, sendReview, type SendReviewParts } from './sendReview.ts';
import { noSenderText } from './sendWords.ts';
import { askReviewStatus } from './setReviewStatus.ts';
import { keepTyped } from './typedMails.ts';

export interface ReviewCommandsParts extends SendReviewParts, TargetParts {
	readonly draftCounts: Pick<DraftCounts, 'of'>;
}

/** Commands on review drafts. From the palette each asks for the patchset, drafts first. */
export function reviewCommands(parts: ReviewCommandsParts): CommandTable {
	const inTurn = oneSending();
	return {
		'forge.review.preview': async (subject, signal) => {
			const of = await reviewTarget(parts, subject, signal);
			await vscode.window.showTextDocument(reviewUri(of), { preview: true });
		},
		'forge.review.editMail': async (subject, signal) => {
			const of = await reviewTarget(parts, subject, signal);
			await keepTyped(parts, of);
			const written = await readAddressed(parts, of, signal);
			if ('kind' in written) {
				void notify('error', noSenderText());
				return;
			}
			await editMail(parts, of, written);
		},
		'forge.review.send': async (subject, signal) => {
			const of = await reviewTarget(parts, subject, signal);
			await inTurn(String(reviewUri(of)), () => sendReview(parts, of, signal));
		},
		'forge.review.setTrailer': async (subject, signal) => setTrailer(parts, subject, signal),
		'forge.review.setStatus': async (subject, signal) =>
			askReviewStatus(parts, await reviewTarget(parts, subject, signal), signal),
		'forge.review.comment': async (subject, signal) => {
			const of = await reviewTarget(parts, subject, signal);
			const [messageId] = await askMails(parts, of, { given: givenMail(subject), hasEach: false, signal });
			if (messageId !== undefined) {
				const place = { kind: 'mail', messageId } as const;
				await parts.mailDrafts.open(reviewSubject(of, { kind: 'comment', id: parts.newName(), place }));
			}
		},
		'forge.review.discard': async (subject, signal) => discardReview(parts, await reviewTarget(parts, subject, signal)),
	};
}

/** The review of the row, document or page, else one with drafts. */
async function reviewTarget(parts: ReviewCommandsParts, subject: unknown, signal: AbortSignal): Promise<Reviewed> {
	if (subjectOrInFront(parts.pages, subject) === undefined) {
		const begun = begunReviews(parts);
		const [only] = begun;
		if (only) {
			return begun.length === 1 ? only : askReview(parts, begun);
		}
	}
	const { connectionKey, ref } = await patchsetTarget(parts, subject, signal);
	return { connectionKey, ref: ref.list, patchsetId: ref.id };
}

/** Reviews with drafts, of signed-in accounts, the last written first. */
function begunReviews({ connections, drafts }: ReviewCommandsParts): readonly Reviewed[] {
	const each = new Map<string, Reviewed>();
	for (const { about } of drafts.all()) {
		if (about.kind === 'review' && about.part.kind !== 'sending' && connections.byKey(about.connectionKey)) {
			const { connectionKey, ref, patchsetId } = about;
			const key = `${connectionKey} ${refText(ref)} ${patchsetId}`;
			each.set(key, each.get(key) ?? { connectionKey, ref, patchsetId });
		}
	}
	return [...each.values()];
}

function askReview({ connections, draftCounts }: ReviewCommandsParts, begun: readonly Reviewed[]): Promise<Reviewed> {
	return choose(
		vscode.l10n.t('Choose a review'),
		begun.map((of): Choice<Reviewed> => {
			const { lists } = connectionOf(connections, of);
			const known = lists.knownPatchset({ list: of.ref, id: of.patchsetId });
			return {
				label: known ? visibleLine(known.subject) : `#${firstMailOfFormed(of.patchsetId) ?? of.patchsetId}`,
				description: visibleLine(refText(of.ref)),
				detail: draftCountTexts(draftCounts.of(of)).join(' · '),
				value: of,
			};
		}),
	);
}

/** Asks for patches and a trailer, and stores it as a draft. */
async function setTrailer(parts: ReviewCommandsParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const of = await reviewTarget(parts, subject, signal);
	const { drafts, clock } = parts;
	const ids = await askMails(parts, of, { given: givenMail(subject), hasEach: true, signal });
	const none = vscode.l10n.t('None');
	const chosen = await choose<ReviewTrailer | 'none'>(vscode.l10n.t('Choose a trailer'), [
		...reviewTrailers.map((trailer): Choice<ReviewTrailer> => ({ label: trailer, value: trailer })),
		{ label: none, value: 'none' },
	]);
	for (const messageId of ids) {
		await putPart(drafts, of, { kind: 'trailer', messageId }, { text: chosen === 'none' ? '' : chosen, clock });
	}
	tellBriefly(chosen === 'none' ? vscode.l10n.t('Trailer removed') : vscode.l10n.t('Draft saved: {0}', chosen));
}

/** The patch or cover letter under the command. */
function givenMail(subject: unknown): number | undefined {
	const meant = givenSubject(subject ?? documentInFront());
	switch (meant?.kind) {
		case 'mail':
			return meant.id;
		case 'patchFile':
			return meant.mailId;
		case 'list':
		case 'patchset':
		case undefined:
			return undefined;
	}
}

interface WhichMails {
	/** The patch or cover letter under the command. */
	readonly given: number | undefined;
	/** Also offers all patches together. */
	readonly hasEach: boolean;
}

/** Message-IDs of the given mail, else of the user's choice in the series. */
async function askMails(
	{ connections }: ReviewCommandsParts,
	of: Reviewed,
	{ given, hasEach, signal }: WhichMails & { readonly signal: AbortSignal },
): Promise<readonly string[]> {
	const { reviews } = connectionOf(connections, of);
	const { series } = await withProgress(vscode.l10n.t('Loading patches…'), signal, (working) =>
		reviews.read({ list: of.ref, id: of.patchsetId }, working),
	);
	const { cover, patches } = series;
	const mails = [...(cover ? [cover] : []), ...patches.map(({ mail }) => mail)];
	const known = mails.length === 1 ? mails[0] : mails.find(({ id }) => id === given);
	if (known) {
		return [known.messageId];
	}
	const all = patches.map(({ mail }) => mail.messageId);
	return choose<readonly string[]>(vscode.l10n.t('Choose a patch'), [
		...(cover ? [{ label: vscode.l10n.t('Series (cover letter)'), value: [cover.messageId] }] : []),
		...(hasEach && all.length > 1 ? [{ label: vscode.l10n.t('Each patch'), value: all }] : []),
		...patches.map(({ mail, patch, index }) => ({
			label: `${index} ${visibleLine(patch.subject)}`,
			value: [mail.messageId],
		})),
	]);
}

/** Stores a part of a review. An empty text deletes it. */
async function putPart(
	drafts: Drafts,
	of: Reviewed,
	part: ReviewPart,
	{ text, clock }: { readonly text: string; readonly clock: ReviewCommandsParts['clock'] },
): Promise<void> {
	const about = reviewSubject(of, part);
	const draft = drafts.draft(about);
	if (text !== '') {
		await drafts.keep(about, { text, atMs: clock.nowMs() });
	} else if (draft) {
		await drafts.forget({ about, draft });
	}
}

/** Deletes all drafts of a review after a confirmation with their counts. */
async function discardReview(parts: ReviewCommandsParts, of: Reviewed): Promise<void> {
	const { drafts, mailDrafts, reader } = parts;
	const entries = entriesOf(drafts, of);
	if (entries.length === 0) {
		void notify('information', vscode.l10n.t('No drafts to discard.'));
		return;
	}
	const isUnsure = keptSending(drafts, of)?.some(
		({ progress }) => progress.kind === 'unsure' || progress.kind === 'underWay',
	);
	if (
		!(await confirmForGood(
			vscode.l10n.t('Discard your review of this patchset?'),
			isUnsure === true
				? vscode.l10n.t(
						"These are removed: {0}. A message of them may have been sent already. This can't be undone.",
						writtenText(parts, of),
					)
				: vscode.l10n.t("These are removed: {0}. They were not sent. This can't be undone.", writtenText(parts, of)),
			vscode.l10n.t('Discard'),
		))
	) {
		throw cancelled();
	}
	for (const entry of entries) {
		await drafts.forget(entry);
	}
	for (const { about } of entries.filter(hasDocument)) {
		// A keystroke in an open document would restore the whole draft.
		await mailDrafts.finish(about);
	}
	reader.forgetIds(of);
}

function hasDocument({ about: { part } }: ReviewEntry): boolean {
	switch (part.kind) {
		case 'comment':
		case 'suggestedFile':
		case 'mail':
			return true;
		case 'suggestion':
		case 'trailer':
		case 'status':
		case 'mailMadeFrom':
		case 'sending':
			return false;
	}
}

/** Counts of all drafts of a review, in words. */
function writtenText(
	{ drafts, draftCounts }: Pick<ReviewCommandsParts, 'drafts' | 'draftCounts'>,
	of: Reviewed,
): string {
	const { comments, edits } = reviewDraft(drafts, of);
	const typed = comments.filter(isOnlyTyped).length;
	const files = new Set(
		entriesOf(drafts, of).flatMap(({ about: { part } }) => (part.kind === 'suggestedFile' ? [part.document] : [])),
	).size;
	const texts = [
		...draftCountTexts(draftCounts.of(of)),
		...(typed === 0 ? [] : [vscode.l10n.t('comments that were typed and not added: {0}', typed)]),
		...(edits.size === 0 ? [] : [vscode.l10n.t('edited messages: {0}', edits.size)]),
		...(files === 0 ? [] : [vscode.l10n.t('files that you were changing: {0}', files)]),
	];
	return texts.length === 0 ? vscode.l10n.t('notes on what was sent') : texts.join(', ');
}

interface ReviewEntry extends DraftEntry {
	readonly about: ReviewSubject;
}

/** All drafts of a review, from all windows. */
function entriesOf(drafts: Pick<Drafts, 'all'>, of: Reviewed): readonly ReviewEntry[] {
	return drafts
		.all()
		.flatMap(({ about, draft }) =>
			about.kind === 'review' &&
			about.connectionKey === of.connectionKey &&
			about.patchsetId === of.patchsetId &&
			refText(about.ref) === refText(of.ref)
				? [{ about, draft }]
				: [],
		);
}
