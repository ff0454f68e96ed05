import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { subjectPlace } from '../../../series/subjectPlace.ts';
import { trailersOfThread } from '../../../series/threadTrailers.ts';
import type { Connection } from '../../../state/connection.ts';
import type { PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import { seriesInThread } from '../../../state/lists/review/seriesInThread.ts';
import { visibleLine } from '../../../text/visible.ts';

/** A version of a series. */
interface ChosenVersion {
	readonly review: PatchsetReview;
	/** The server has no patchset for it. */
	readonly isInThread: boolean;
}

/** Asks for a version if newer ones exist, the newest first. Throws `cancelled()` when closed. */
export async function askVersion(
	connection: Pick<Connection, 'reviews' | 'texts'>,
	review: PatchsetReview,
	signal: AbortSignal,
): Promise<ChosenVersion> {
	const { ref, patchset, versions, versionsInThread } = review;
	const own: Row = {
		version: patchset.version,
		description: vscode.l10n.t('the chosen patchset'),
		read: async () => ({ review, isInThread: false }),
	};
	const patchsets = versions.map((each): Row => ({
		version: each.patchset.version,
		description: vscode.l10n.t('patchset {0}', each.patchset.id),
		read: async () => ({
			review: await connection.reviews.read({ ...ref, id: each.patchset.id }, signal),
			isInThread: false,
		}),
	}));
	const inThread = versionsInThread.map(({ version }): Row => ({
		version,
		description: vscode.l10n.t('replies in the thread of version {0}', patchset.version),
		read: async () => ({ review: reviewInThread(connection, review, version), isInThread: true }),
	}));
	const newer = [...patchsets, ...inThread].filter(({ version }) => version > patchset.version);
	if (newer.length === 0) {
		return own.read();
	}
	const rows = [...newer.toSorted((one, other) => other.version - one.version), own];
	const title = vscode.l10n.t('Choose a version: "{0}" is not the newest', visibleLine(patchset.subject));
	const chosen = await choose(
		title,
		rows.map((row) => ({
			label: vscode.l10n.t('Version {0}', row.version),
			description: row.description,
			value: row,
		})),
	);
	return chosen.read();
}

interface Row {
	readonly version: number;
	readonly description: string;
	readonly read: () => Promise<ChosenVersion>;
}

/** The review as one of that version. */
function reviewInThread({ texts }: Pick<Connection, 'texts'>, review: PatchsetReview, version: number): PatchsetReview {
	const series = seriesInThread(texts, review, version);
	const [first] = series.patches;
	const subject = subjectPlace((series.cover ?? first?.mail)?.subject ?? '')?.subject ?? review.patchset.subject;
	return {
		...review,
		patchset: { ...review.patchset, version, subject },
		series,
		trailers: trailersOfThread(review.mails, series),
	};
}
