import { refText } from '../../../forge/namedRef.ts';
import * as vscode from 'vscode';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { patchSubject } from '../../../forge/patchSubject.ts';
import type { Connection } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { listTarget } from '../subjects/listTargets.ts';
import type { ListsSubject } from '../subjects/subjects.ts';
import { askPatchRepository, likelyRepositories } from './patchRepository.ts';

/** Asks for the repository of a list's patches, with the prefix of the subject's patch. */
export async function chooseRepository(
	parts: ListsParts,
	meant: ListsSubject | undefined,
	signal: AbortSignal,
): Promise<void> {
	const { connectionKey, ref: list } = await listTarget(parts, meant, signal);
	const connection = connectionOf(parts.connections, { connectionKey });
	const { prefix, likely } = await withProgress(vscode.l10n.t('Loading repositories…'), signal, async (working) => {
		const own = meant && (await subjectOf(connection, meant, working));
		const found = own === undefined ? '' : (patchSubject(own)?.prefix ?? '');
		const patches = { connection, list, prefix: found === '' ? undefined : found };
		return { prefix: patches.prefix, likely: await likelyRepositories(parts, patches, working) };
	});
	const chosen = await askPatchRepository({ connection, list, prefix }, likely, signal);
	tellBriefly(
		chosen === 'none'
			? vscode.l10n.t('Patches are shown without a repository.')
			: vscode.l10n.t('Repository for patches: {0}', visibleLine(refText(chosen))),
	);
}

/** Subject line of a mail of the target; `undefined` for a list. */
async function subjectOf({ lists }: Connection, meant: ListsSubject, signal: AbortSignal): Promise<string | undefined> {
	switch (meant.kind) {
		case 'list':
			return undefined;
		case 'mail':
			return (await lists.mail(meant.id, signal)).subject;
		case 'patchFile':
			return (await lists.mail(meant.mailId, signal)).subject;
		case 'patchset':
			return (await lists.series(meant.ref, signal)).patches[0]?.subject;
	}
}
