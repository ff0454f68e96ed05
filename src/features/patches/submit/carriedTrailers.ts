import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { chooseSeveral, type TickChoice } from '../../../editor/ask/ask.ts';
import { trailersOf, withTrailer, type Trailer } from 'patchmail/series/commitTrailers.ts';
import { withTrailerBytes } from 'patchmail/series/comparedTrailers.ts';
import { trailersForNext } from 'patchmail/series/earlierTrailers.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { SendProblem } from 'patchmail/series/sendChecks.ts';
import type { GivenTrailer, SeriesPatch, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { trailersOfThread } from 'patchmail/series/threadTrailers.ts';
import type { TrailerBytes } from 'patchmail/series/trailerBytes.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { allBytesTexts, doubtfulBytesTexts } from '../../lists/subjects/trailerBytesTexts.ts';
import { withProvenAddresses } from '../apply/secondAddresses.ts';
import type { SeriesMailOfCommit } from './commitMails.ts';
import type { PreparedSeries } from './savedSeries.ts';
import type { SubmitContext } from './submitContext.ts';

/** A trailer of an earlier version for the mails of some commits, all of them in the same class. */
export interface CarriedTrailer {
	readonly key: string;
	readonly value: string;
	/** Commits of this version, and the titles of their patches. */
	readonly commits: readonly { readonly id: string; readonly subject: string }[];
	readonly kind: TrailerBytes['kind'];
	/** Sentence on its bytes. */
	readonly text: string;
	/** The patchset of the patch that it was given to, if known. */
	readonly patchsetId: number | undefined;
}

/** Local commits as a series, so that the comparisons of received series serve them, too. */
export function localReading(patches: readonly SeriesMailOfCommit[]): SeriesReading {
	const read = patches.flatMap(({ read: each }, at): readonly SeriesPatch[] => {
		const subject = each?.patch.subject ?? '';
		const reading = each && ({ kind: 'read', mail: each.mail } as const);
		const patch = reading && patchMailOf(reading, subject);
		// Below the ids of received mails, so that none of them counts as this patch.
		const facts = { id: -1 - at, messageId: '', parentId: undefined, createdMs: 0, subject, account: undefined };
		return reading && patch ? [{ index: at + 1, mail: { ...facts, reading }, patch }] : [];
	});
	const stat = { files: 0, added: 0, removed: 0 };
	return { cover: undefined, patches: read, count: patches.length, problems: [], stat };
}

/** Trailers that the last version got or already carried and that the commits lack, those for the same changes first. */
export function carriedTrailers(
	{ reviews }: Connection,
	patches: readonly SeriesMailOfCommit[],
	{ ref, patchset: { version }, series, trailers }: PatchsetReview,
): readonly CarriedTrailer[] {
	const local = localReading(patches);
	const candidates = trailersForNext(local.patches, { version, id: ref.id, series, trailers });
	const carried = reviews.withBytes(ref, candidates, local.patches).flatMap((trailer) =>
		allBytesTexts(trailer).map(({ kind: found, text: told, indexes, patchsetId }): CarriedTrailer => {
			const { key, value, condition, isForSeries } = trailer;
			const kind = condition === undefined && isForSeries !== true ? found : 'unknown';
			const text =
				condition === undefined ? told : vscode.l10n.t('Given on a condition: "{0}"', visibleLine(condition));
			const lacking = local.patches.filter(
				({ index, patch }) => indexes.includes(index) && !hasTrailer(patch.message, trailer),
			);
			const commits = lacking.flatMap(({ index, patch: { subject } }) => {
				const id = patches[index - 1]?.commit;
				return id === undefined ? [] : [{ id, subject }];
			});
			return { key, value, kind, text, patchsetId, commits };
		}),
	);
	return Array.from(Map.groupBy(carried, ({ key, value, text }) => JSON.stringify([key, value, text])).values())
		.flatMap((same) => same.slice(0, 1).map((first) => ({ ...first, commits: same.flatMap(({ commits }) => commits) })))
		.filter(({ commits }) => commits.length > 0)
		.toSorted((one, other) => Number(!isForSame(one)) - Number(!isForSame(other)));
}

/** Only these are added without a question. */
export function isForSame({ kind }: CarriedTrailer): boolean {
	return kind === 'these' || kind === 'sameChanges';
}

function hasTrailer(message: string, { key, value }: Trailer): boolean {
	return (
		trailersOf(`Title\n\n${message}`).some((each) => each.key === key) &&
		withTrailer(message, { key, value }) === message
	);
}

/** Asks for the trailers to add. Those for other changes, and unknown ones, start unchecked. Throws `cancelled()`. */
export async function askTrailers(
	offered: readonly CarriedTrailer[],
	chosen: readonly CarriedTrailer[],
): Promise<readonly CarriedTrailer[]> {
	const rowsOf = (...kinds: readonly TrailerBytes['kind'][]): readonly TickChoice<CarriedTrailer>[] =>
		offered
			.filter(({ kind }) => kinds.includes(kind))
			.map((trailer) => ({
				label: shortLine(`${trailer.key}: ${trailer.value}`, 150),
				description: shortLine(trailer.commits.map(({ subject }) => subject).join(' · '), 150),
				detail: trailer.text,
				picked: chosen.includes(trailer),
				value: trailer,
			}));
	return chooseSeveral(
		vscode.l10n.t('Choose the trailers that the patches get'),
		vscode.l10n.t('The version before has them.'),
		[
			{ heading: vscode.l10n.t('For patches with the same changes'), choices: rowsOf('these', 'sameChanges') },
			{
				heading: vscode.l10n.t('For patches that changed since, which these people have not seen'),
				choices: rowsOf('other'),
			},
			{ heading: vscode.l10n.t('For unknown changes'), choices: rowsOf('unknown') },
		],
	);
}

/** Trailers of the mails, from commits and added ones, whose people gave them to other changes, or in no known message. */
export async function trailerProblems(
	parts: SubmitContext,
	series: PreparedSeries,
	patches: readonly SeriesMailOfCommit[],
	signal: AbortSignal,
): Promise<readonly SendProblem[]> {
	const local = localReading(patches);
	const written = trailersOfThread([], local);
	const compared = async (): Promise<readonly GivenTrailer[]> => {
		const { list, earlier } = series;
		if (earlier === undefined) {
			return withTrailerBytes(written, local.patches, [], new Set());
		}
		const connection = connectionOf(parts.connections, series);
		const review = await connection.reviews.readWithEarlier({ list, id: earlier }, signal);
		await withProvenAddresses(parts, connection, review, series.root, signal);
		return connection.reviews.withBytes({ list, id: earlier }, written, local.patches);
	};
	const trailers = await compared().catch((error: unknown) => {
		if (isAbort(error)) {
			throw error;
		}
		// Without the earlier version the trailers are unknown, and the user hears that.
		parts.problems.log(error);
		return withTrailerBytes(written, local.patches, [], new Set());
	});
	return trailers
		.filter((trailer) => doubtfulBytesTexts(trailer).length > 0)
		.map((trailer) => ({ kind: 'trailer', trailer }));
}
