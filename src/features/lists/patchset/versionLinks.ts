import * as vscode from 'vscode';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Connections } from '../../../store/connection.ts';
import type { VersionLink } from '../../../engine/series/versions.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { askPatchset, patchsetChoice } from '../subjects/listQuestions.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';

/** Asks for another version of the patchset in the list, and links both. */
export async function linkVersion(connections: Connections, subject: PatchsetSubject, signal: AbortSignal) {
	const connection = connectionOf(connections, subject);
	const { ref } = subject;
	const patchset = await connection.lists.patchset(ref, signal);
	const linked = new Set((connection.reviews.known(ref)?.versions ?? []).map((version) => version.patchset.id));
	const other = await askPatchset(connection, ref.list, signal, {
		title: vscode.l10n.t('Which patchset is a version of "{0}"?', visibleLine(patchset.subject)),
		isOffered: ({ id }) => id !== ref.id && !linked.has(id),
		isLikely: (one) => one.submitter !== undefined && one.submitter === patchset.submitter,
	});
	await connection.reviews.linkVersions(ref, other.ref);
	tellBriefly(vscode.l10n.t('Linked'));
}

/** Asks for a wrong version, and unlinks it. */
export async function unlinkVersion(connections: Connections, subject: PatchsetSubject, signal: AbortSignal) {
	const connection = connectionOf(connections, subject);
	const { ref } = subject;
	const { patchset, versions } = await withProgress(vscode.l10n.t('Searching for versions…'), signal, (working) =>
		connection.reviews.read(ref, working),
	);
	const others = versions.filter((version) => version.patchset.id !== ref.id);
	const title = visibleLine(patchset.subject);
	if (others.length === 0) {
		void notify('information', vscode.l10n.t('No other version of "{0}" is known.', title));
		throw cancelled();
	}
	const id = await choose(
		vscode.l10n.t('Which patchset is not a version of "{0}"?', title),
		others.map((version) => ({ ...patchsetChoice(version.patchset), detail: linkText(version.link) })),
	);
	await connection.reviews.unlinkVersions(ref, { list: ref.list, id });
	tellBriefly(vscode.l10n.t('Unlinked'));
}

/** The reason for a link between two patchsets. */
function linkText(link: VersionLink | undefined): string {
	switch (link) {
		case 'forge':
			return vscode.l10n.t('The forge says that it is a version.');
		case 'thread':
			return vscode.l10n.t('It came as a reply in the same thread.');
		case 'stated':
			return vscode.l10n.t('A cover letter states it.');
		case 'claimed':
			return vscode.l10n.t('A cover letter of another sender states it.');
		case 'subject':
			return vscode.l10n.t('It has the same subject, prefix and sender.');
		case 'byHand':
			return vscode.l10n.t('You linked it.');
		case undefined:
			return '';
	}
}
