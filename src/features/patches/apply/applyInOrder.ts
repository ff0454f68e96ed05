import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { chooseAction } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';
import type { ApplyContext } from './savedApplied.ts';

type Apply = (parts: ApplyContext, subject: PatchsetSubject, signal: AbortSignal) => Promise<void>;

/** Applies a patchset, and before it those that it needs, after a question. Throws `cancelled()` if one is not applied. */
export async function applyInOrder(
	parts: ApplyContext,
	subject: PatchsetSubject,
	apply: Apply,
	signal: AbortSignal,
	begun: ReadonlySet<number> = new Set(),
): Promise<void> {
	// An untrusted workspace needs no requests.
	const needed = parts.trust.isTrusted() ? await askNeeded(parts, subject, begun, signal) : [];
	const within = new Set([...begun, subject.ref.id]);
	for (const { id } of needed) {
		const first = { ...subject, ref: { ...subject.ref, id } };
		// It may be a commit in another folder already.
		const before = commitsOf(parts, first);
		await applyInOrder(parts, first, apply, signal, within);
		if (commitsOf(parts, first).every((each) => before.includes(each))) {
			throw cancelled();
		}
	}
	await apply(parts, subject, signal);
}

/** Patchsets to apply first, in order; none if the user wants to apply without them. `begun`: those that wait for this one. */
async function askNeeded(
	parts: ApplyContext,
	subject: PatchsetSubject,
	begun: ReadonlySet<number>,
	signal: AbortSignal,
): Promise<readonly Patchset[]> {
	const { reviews, lists } = connectionOf(parts.connections, subject);
	const { ref } = subject;
	const found = await withProgress(vscode.l10n.t('Searching for patchsets that this one needs…'), signal, (working) =>
		reviews.prerequisites(ref, working),
	);
	const byId = new Map(found.flatMap(({ patchset }) => (patchset ? [[patchset.id, patchset] as const] : [])));
	const needed = [...byId.values()]
		.filter(({ id, status }) => status !== 'applied' && !begun.has(id))
		.toSorted((one, other) => one.createdMs - other.createdMs);
	const [only, ...more] = needed.map((patchset) => visibleLine(patchset.subject));
	if (only === undefined) {
		return [];
	}
	const title = visibleLine(lists.knownPatchset(ref)?.subject ?? '');
	const first = vscode.l10n.t('Apply First');
	const without = vscode.l10n.t('Apply Without');
	const chosen = await chooseAction(
		more.length === 0
			? vscode.l10n.t('"{0}" needs "{1}". Apply that first?', title, only)
			: vscode.l10n.t('"{0}" needs other patchsets. Apply them first?', title),
		more.length === 0 ? vscode.l10n.t('The forge does not report it as applied.') : [only, ...more].join('\n'),
		first,
		without,
	);
	if (chosen === undefined) {
		throw cancelled();
	}
	return chosen === first ? needed : [];
}

/** Finished applications on this machine, each as its folder and last commit. */
function commitsOf({ applied }: ApplyContext, { connectionKey, ref }: PatchsetSubject): readonly string[] {
	return applied
		.all()
		.filter(({ subject }) => subject.connectionKey === connectionKey && isSameValue(subject.ref, ref))
		.flatMap(({ folder, after }) => (after === undefined ? [] : [`${after} ${folder}`]));
}
