import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { firstMailOfFormed, type Patchset } from '../../../forge/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/review/patchsetReview.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** Asks for a version if newer ones exist, the newest first. Throws `cancelled()` when closed. */
export async function askVersion(
	connection: Pick<Connection, 'reviews'>,
	review: PatchsetReview,
	signal: AbortSignal,
): Promise<PatchsetReview> {
	const { ref, patchset, versions } = review;
	const newer = versions
		.filter(({ patchset: { version }, link }) => version > patchset.version && link !== 'claimed')
		.map((each) => each.patchset);
	if (newer.length === 0) {
		return review;
	}
	const rows = [...newer.toSorted((one, other) => other.version - one.version), patchset];
	const title = vscode.l10n.t('Choose a version: "{0}" is not the newest', visibleLine(patchset.subject));
	const chosen = await choose(
		title,
		rows.map((row) => ({
			label: vscode.l10n.t('Version {0}', row.version),
			description: row === patchset ? vscode.l10n.t('the chosen patchset') : placeText(row),
			value: row.id,
		})),
	);
	return chosen === ref.id ? review : connection.reviews.read({ ...ref, id: chosen }, signal);
}

function placeText({ id }: Patchset): string {
	return firstMailOfFormed(id) === undefined ? vscode.l10n.t('patchset {0}', id) : vscode.l10n.t('came as a reply');
}
