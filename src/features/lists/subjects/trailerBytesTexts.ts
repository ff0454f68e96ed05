import * as vscode from 'vscode';
import type { GivenTrailer } from 'patchmail/series/seriesReading.ts';
import type { TrailerBytes } from 'patchmail/series/trailerBytes.ts';

/** The bytes of a trailer for one or more of its patches, as a sentence. */
export interface TrailerBytesText {
	readonly kind: TrailerBytes['kind'];
	/** Indexes of these patches. */
	readonly indexes: readonly number[];
	readonly text: string;
	/** Number of the earlier patchset, to show the difference. */
	readonly patchsetId: number | undefined;
}

/** Keys of credits. Authors write them about others, so a missing mail proves nothing. */
const credits =
	/^(?:Analy[sz]ed|Based-on-patch|Bisected|Co-authored|Co-developed|Debugged|Diagnosed|Found|Helped|Inspired|Mentored|Originally|Reported|Requested|Suggested)-by$/i;

/**
 * Sentences on the bytes of a trailer, the most doubtful first. Empty before earlier versions were read, and for credits
 * without a mail.
 */
export function trailerBytesTexts(trailer: GivenTrailer): readonly TrailerBytesText[] {
	return allBytesTexts(trailer).filter(({ kind }) => kind !== 'unknown' || !credits.test(trailer.key));
}

/** Trailers that say that someone looked at the patch. Other ones name helpers and signers. */
const judging = /(?:^|-)(?:acked|approved|reviewed|tested)(?:-|$)/i;

/** Sentences on a trailer that its person gave to other changes, or in no known message though it judges the patch. */
export function doubtfulBytesTexts(trailer: GivenTrailer): readonly TrailerBytesText[] {
	return allBytesTexts(trailer).filter(
		({ kind }) => kind === 'other' || (kind === 'unknown' && judging.test(trailer.key)),
	);
}

/** The same with credits. */
export function allBytesTexts({ bytes = [] }: GivenTrailer): readonly TrailerBytesText[] {
	return Array.from(Map.groupBy(bytes, trailerBytesText))
		.flatMap(([text, same]) =>
			same.slice(0, 1).map((first): TrailerBytesText => {
				const indexes = same.map(({ index }) => index);
				return { kind: first.kind, indexes, text, patchsetId: 'from' in first ? first.from?.patchsetId : undefined };
			}),
		)
		.toSorted((one, other) => doubt.indexOf(one.kind) - doubt.indexOf(other.kind));
}

const doubt: readonly TrailerBytes['kind'][] = ['other', 'unknown', 'sameChanges', 'these'];

function trailerBytesText(bytes: TrailerBytes): string {
	switch (bytes.kind) {
		case 'these':
			return bytes.from === undefined
				? vscode.l10n.t('Given to this patch.')
				: vscode.l10n.t(
						'Given to patch {0} of v{1}, which has the same changes to the same files.',
						bytes.from.index,
						bytes.from.version,
					);
		case 'sameChanges':
			return vscode.l10n.t(
				'Given to patch {0} of v{1}, which has the same changes. Other parts of the files may differ.',
				bytes.from.index,
				bytes.from.version,
			);
		case 'other':
			return bytes.from === undefined
				? vscode.l10n.t('Given to other patches of v{0}.', bytes.version)
				: vscode.l10n.t('Given to patch {0} of v{1}, which has other changes.', bytes.from.index, bytes.from.version);
		case 'unknown':
			return bytes.reason === 'noMail'
				? vscode.l10n.t('Unknown: no loaded message of this person has this trailer.')
				: vscode.l10n.t('Unknown: the changes of a patch cannot be compared.');
	}
}
