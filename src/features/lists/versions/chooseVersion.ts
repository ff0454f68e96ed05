import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import type { Patchset } from '../../../forge/port/list.ts';
import type { PatchsetReview, SeriesVersion } from '../../../store/lists/review/patchsetReview.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { patchsetChoice } from '../subjects/listQuestions.ts';
import { patchsetTarget } from '../subjects/listTargets.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { lastReviewed } from '../review/lastReviewed.ts';
import type { VersionPair } from '../subjects/versionUri.ts';

/** Two versions to compare. */
export interface ChosenVersions {
	readonly pair: VersionPair;
	readonly earlier: Patchset;
	readonly later: Patchset;
}

/** The target patchset and another version: the page's choice, the only other one, or the user's answer. */
export async function chooseVersions(
	parts: ListsParts,
	subject: unknown,
	signal: AbortSignal,
): Promise<ChosenVersions> {
	const patchset = await patchsetTarget(parts, subject, signal);
	const { review, others, reviewed } = await readVersions(parts, patchset, signal);
	const { otherVersion } = isRecord(subject) ? subject : {};
	const named = others.find((each) => each.patchset.id === otherVersion);
	const [first, second] = others;
	const other = named ?? (first && !second ? first : await ask(review, others, reviewed));
	return pairOf(patchset, review.patchset, other.patchset);
}

/** The target patchset and the last earlier version that the account reviewed. */
export async function reviewedVersions(
	parts: ListsParts,
	subject: unknown,
	signal: AbortSignal,
): Promise<ChosenVersions> {
	const patchset = await patchsetTarget(parts, subject, signal);
	const { review, reviewed, unread } = await readVersions(parts, patchset, signal);
	const [failure] = unread;
	if (!reviewed && failure) {
		// An unreadable version may be the reviewed one.
		throw failure;
	}
	if (!reviewed) {
		const title = visibleLine(review.patchset.subject);
		void notify('information', vscode.l10n.t('You reviewed no earlier version of "{0}".', title));
		throw cancelled();
	}
	return pairOf(patchset, review.patchset, reviewed.patchset);
}

interface ReadVersions {
	readonly review: PatchsetReview;
	/** Nearest lower version first, then the higher ones. At least one. */
	readonly others: readonly SeriesVersion[];
	readonly reviewed: SeriesVersion | undefined;
	/** Errors that may hide a reviewed version. */
	readonly unread: readonly Error[];
}

async function readVersions(parts: ListsParts, subject: PatchsetSubject, signal: AbortSignal): Promise<ReadVersions> {
	const connection = connectionOf(parts.connections, subject);
	const unread: Error[] = [];
	const log = (error: unknown): void => {
		unread.push(...(error instanceof Error ? [error] : []));
		parts.problems.log(error);
	};
	const { review, reviewed } = await withProgress(vscode.l10n.t('Searching for versions…'), signal, async (working) => {
		const read = await connection.reviews.read(subject.ref, working);
		return { review: read, reviewed: await lastReviewed(log, connection, read, working) };
	});
	const at = review.versions.findIndex(({ patchset }) => patchset.id === subject.ref.id);
	const others = [...review.versions.slice(0, Math.max(0, at)).toReversed(), ...review.versions.slice(at + 1)];
	if (others.length === 0) {
		void tellNone(subject, review.patchset);
		throw cancelled();
	}
	return { review, others, reviewed, unread };
}

async function tellNone(subject: PatchsetSubject, { subject: title }: Patchset): Promise<void> {
	const link = vscode.l10n.t('Link Another Version…');
	const text = vscode.l10n.t('No other version of "{0}" is known.', visibleLine(title));
	if ((await notify('information', text, link)) === link) {
		await vscode.commands.executeCommand('forge.patchsets.linkVersion', subject);
	}
}

async function ask(
	{ patchset }: PatchsetReview,
	others: readonly SeriesVersion[],
	reviewed: SeriesVersion | undefined,
): Promise<SeriesVersion> {
	const [previous] = others;
	const first = others.find((each) => each === reviewed) ?? previous;
	const ordered = first ? [first, ...others.filter((each) => each !== first)] : others;
	return choose(
		vscode.l10n.t(
			'Which version do you want to compare with v{0} of "{1}"?',
			patchset.version,
			visibleLine(patchset.subject),
		),
		ordered.map((other): Choice<SeriesVersion> => {
			const isPrevious = other === previous && other.patchset.version < patchset.version;
			const detail =
				other === reviewed
					? vscode.l10n.t('The version that you last reviewed')
					: isPrevious
						? vscode.l10n.t('The previous version')
						: '';
			return { ...patchsetChoice(other.patchset), detail, value: other };
		}),
	);
}

function pairOf({ connectionKey, ref }: PatchsetSubject, one: Patchset, other: Patchset): ChosenVersions {
	const [earlier, later] = isEarlier(other, one) ? [other, one] : [one, other];
	return { pair: { connectionKey, list: ref.list, earlier: earlier.id, later: later.id }, earlier, later };
}

function isEarlier(one: Patchset, other: Patchset): boolean {
	return one.version === other.version ? one.id < other.id : one.version < other.version;
}
