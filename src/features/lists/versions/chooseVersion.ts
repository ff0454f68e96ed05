import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import type { Patchset } from '../../../forge/list.ts';
import type { PatchsetReview, SeriesVersion, ThreadVersion } from '../../../state/lists/review/patchsetReview.ts';
import { subjectPlace } from '../../../series/subjectPlace.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { patchsetChoice } from '../subjects/listQuestions.ts';
import { patchsetTarget } from '../subjects/listTargets.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { lastReviewed } from '../review/lastReviewed.ts';
import type { VersionPair } from '../subjects/versionUri.ts';

/** Two versions that somebody wants to compare. */
export interface ChosenVersions {
	readonly pair: VersionPair;
	readonly earlier: NamedVersion;
	readonly later: NamedVersion;
}

/** What of a version is shown to people. */
type NamedVersion = Pick<Patchset, 'version' | 'subject'>;

/** Another version: a patchset, or mails in the conversation of the one that is meant. */
type Other =
	| { readonly kind: 'patchset'; readonly version: SeriesVersion }
	| { readonly kind: 'inThread'; readonly version: ThreadVersion };

/**
 * The patchset that is meant and another version of it: the one that the page named, the only one that there is, else the
 * answer to a question.
 */
export async function chooseVersions(
	parts: ListsParts,
	subject: unknown,
	signal: AbortSignal,
): Promise<ChosenVersions> {
	const patchset = await patchsetTarget(parts, subject, signal);
	const { review, others, reviewed } = await readVersions(parts, patchset, signal);
	const named = others.find((each) => isNamed(each, subject));
	const [first, second] = others;
	const other = named ?? (first && !second ? first : await ask(review, others, reviewed));
	switch (other.kind) {
		case 'patchset':
			return pairOf(patchset, review.patchset, other.version.patchset);
		case 'inThread': {
			const { version, first: mail } = other.version;
			const { connectionKey, ref } = patchset;
			const pair = { connectionKey, list: ref.list, earlier: ref.id, later: other.version.of, inThread: version };
			const title = subjectPlace(mail.subject)?.subject ?? mail.subject;
			return { pair, earlier: review.patchset, later: { version, subject: title } };
		}
	}
}

/** The patchset that is meant and the last version before it that its reader reviewed. */
export async function reviewedVersions(
	parts: ListsParts,
	subject: unknown,
	signal: AbortSignal,
): Promise<ChosenVersions> {
	const patchset = await patchsetTarget(parts, subject, signal);
	const { review, reviewed, unread } = await readVersions(parts, patchset, signal);
	const [failure] = unread;
	if (!reviewed && failure) {
		// The one that was reviewed may be among those that could not be read.
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
	/** Nearest lower version first, then the higher ones, then those in the conversation. At least one. */
	readonly others: readonly Other[];
	readonly reviewed: SeriesVersion | undefined;
	/** Why a version that was reviewed may not be known as that. */
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
		return { review: read, reviewed: await lastReviewed({ log }, connection, read, working) };
	});
	const at = review.versions.findIndex(({ patchset }) => patchset.id === subject.ref.id);
	const patchsets = [...review.versions.slice(0, Math.max(0, at)).toReversed(), ...review.versions.slice(at + 1)];
	const others: readonly Other[] = [
		...patchsets.map((version) => ({ kind: 'patchset', version }) as const),
		...review.versionsInThread.map((version) => ({ kind: 'inThread', version }) as const),
	];
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
	others: readonly Other[],
	reviewed: SeriesVersion | undefined,
): Promise<Other> {
	const [previous] = others;
	const first = others.find(({ version }) => version === reviewed) ?? previous;
	const ordered = first ? [first, ...others.filter((each) => each !== first)] : others;
	return choose(
		vscode.l10n.t(
			'Which version do you want to compare with v{0} of "{1}"?',
			patchset.version,
			visibleLine(patchset.subject),
		),
		ordered.map((other) => ({ ...choiceOf(other, { patchset, reviewed, previous }), value: other })),
	);
}

interface Asked {
	readonly patchset: Patchset;
	readonly reviewed: SeriesVersion | undefined;
	readonly previous: Other | undefined;
}

function choiceOf(other: Other, { patchset, reviewed, previous }: Asked): Omit<Choice<unknown>, 'value'> {
	if (other.kind === 'inThread') {
		const { version, first } = other.version;
		return {
			label: visibleLine(subjectPlace(first.subject)?.subject ?? first.subject),
			description: `v${version}`,
			detail: vscode.l10n.t('came as a reply, no patchset of its own'),
			iconPath: new vscode.ThemeIcon('mail'),
		};
	}
	const isPrevious = other === previous && other.version.patchset.version < patchset.version;
	const detail =
		other.version === reviewed
			? vscode.l10n.t('The version that you last reviewed')
			: isPrevious
				? vscode.l10n.t('The previous version')
				: '';
	return { ...patchsetChoice(other.version.patchset), detail };
}

/** Whether it is the version that a page names beside its own: by its patchset, or by its first mail. */
function isNamed(other: Other, subject: unknown): boolean {
	const { otherVersion, otherInThread } = isRecord(subject) ? subject : {};
	return other.kind === 'patchset'
		? other.version.patchset.id === otherVersion
		: other.version.first.id === otherInThread;
}

function pairOf({ connectionKey, ref }: PatchsetSubject, one: Patchset, other: Patchset): ChosenVersions {
	const [earlier, later] = isEarlier(other, one) ? [other, one] : [one, other];
	return { pair: { connectionKey, list: ref.list, earlier: earlier.id, later: later.id }, earlier, later };
}

function isEarlier(one: Patchset, other: Patchset): boolean {
	return one.version === other.version ? one.id < other.id : one.version < other.version;
}
